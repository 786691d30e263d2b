extern "C" __global__ void add_active(const int* x, int* o) {
  int v = x[threadIdx.x];
  if (v & 1) __nanosleep(10);
  o[threadIdx.x] = v + (__activemask() != 0 ? 32 : 0);
}
