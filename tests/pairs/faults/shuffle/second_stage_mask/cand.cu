extern "C" __global__ void sum_shuffle(const float* x, float* o) {
  __shared__ float s[4];
  int t = threadIdx.x, lane = t & 31;
  float v = x[blockIdx.x * 128 + t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) s[t >> 5] = v;
  __syncthreads();
  if (t < 32) {
    float w = lane < 4 ? s[lane] : 0.f;
    unsigned mask = 1;
    for (int d = 2; d > 0; d >>= 1) w += __shfl_down_sync(mask, w, d);
    if (lane == 0) o[blockIdx.x] = w;
  }
}
