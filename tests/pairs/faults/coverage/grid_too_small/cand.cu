extern "C" __global__ void inc32(const float* x, float* o, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) o[i] = 1.f + x[i];
}
