extern "C" __global__ void neg4(const float* x, float* o, int n) {
  int i = threadIdx.x * 4;
  if (i >= n) return;
  for (int k = 0; k < 4 && i + k < n; ++k) o[i + k] = -x[i + k];
}
