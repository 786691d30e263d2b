extern "C" __global__ void reverse(const float* x, float* o, int n) {
  int t = threadIdx.x;
  if (t < n) o[t] = x[n - 1 - t];
}
