extern "C" __global__ void sum_tree(const float* x, float* o) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int w = 16; w > 0; w >>= 1) {
      s[t] = v;
      v += s[t ^ w];
    }
    if (t == 0) o[blockIdx.x] = v;
  }
}
