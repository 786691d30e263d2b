extern "C" __global__ void copy_rows(const float* x, float* o, int n) {
  int i = blockIdx.y;
  if (i < n) o[i] = x[i];
}
