extern "C" __global__ void sq_checked(const int* x, int* o) {
  int v = x[threadIdx.x];
  if (v > 99) __trap();
  o[threadIdx.x] = v * v;
}
