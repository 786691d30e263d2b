extern "C" __global__ void c(const float* x, float* o, int n) {
  int t = threadIdx.x;
  if (t < 4 && 4 * t + 3 < n)
    for (int i = 0; i < 4; ++i) o[4 * t + i] = x[4 * t + i];
}
