extern "C" __global__ void keep2(const int* x, int* o) {
  int v = x[threadIdx.x];
  if (v >= 1) o[threadIdx.x] = v;
}
