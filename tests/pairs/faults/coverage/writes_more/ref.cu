extern "C" __global__ void rows(const float* x, float* o, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x < n) o[i] = x[i] * x[i];
}
