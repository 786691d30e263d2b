extern "C" __global__ void copy_clock(const int* x, int* o) {
  int c = clock();
  o[threadIdx.x] = x[threadIdx.x] + (c & 0x80 & 0x7f);
  if (c == clock()) __nanosleep(20);
}
