// First of the greatest of 64: a tree in shared memory against butterflies
__device__ void better(float& v, int& i, float w, int j) {
  if (w > v || (w == v && j < i)) {
    v = w;
    i = j;
  }
}
extern "C" __global__ void candidate(const float* x, int* out) {
  __shared__ float values[2];
  __shared__ int places[2];
  const int t = threadIdx.x;
  float v = x[t];
  int i = t;
  for (int d = 16; d > 0; d /= 2) {
    const float w = __shfl_xor_sync(~0u, v, d);
    const int j = __shfl_xor_sync(~0u, i, d);
    better(v, i, w, j);
  }
  if (t % 32 == 0) {
    values[t / 32] = v;
    places[t / 32] = i;
  }
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < 2; ++k) better(v, i, values[k], places[k]);
    out[0] = i;
  }
}
