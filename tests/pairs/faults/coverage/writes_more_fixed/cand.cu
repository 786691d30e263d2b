extern "C" __global__ void rows2(const float* x, float* o, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x >= n) return;
  o[i] = x[i] * x[i];
}
