extern "C" __global__ void r(const float* x, float* o, int n) {
  int t = threadIdx.x;
  if (t < n) o[t] = x[t];
}
