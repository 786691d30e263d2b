extern "C" __global__ void copy_clock(const int* x, int* o) {
  int c = clock();
  o[threadIdx.x] = x[threadIdx.x] + (c & 1);
}
