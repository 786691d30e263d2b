extern "C" __global__ void dbl(const int* x, int* o, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = x[i] + x[i];
}
