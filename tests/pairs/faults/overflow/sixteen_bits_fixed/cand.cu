extern "C" __global__ void mask16(const float* x, float* o, int first, int n) {
  int i = threadIdx.x;
  if (i < n - first) o[i] = x[i];
}
