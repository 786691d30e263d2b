extern "C" __global__ void times7_table(const int* x, int* o, int filled) {
  volatile int h[8];
  for (int j = 0; j < filled; ++j) h[j] = j * 7;
  o[threadIdx.x] = h[x[threadIdx.x]];
}
