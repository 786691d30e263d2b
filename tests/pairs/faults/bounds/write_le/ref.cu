extern "C" __global__ void half(const float* x, float* o, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) o[i] = 0.5f * x[i];
}
