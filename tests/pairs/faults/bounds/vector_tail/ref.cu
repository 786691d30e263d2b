extern "C" __global__ void neg(const float* x, float* o, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = -x[i];
}
