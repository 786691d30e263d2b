extern "C" __global__ void neighbour64_shfl(const unsigned long long* x, unsigned long long* o) {
  unsigned long long v = x[threadIdx.x];
  unsigned lo = (unsigned)v, hi = (unsigned)(v >> 32);
  lo = __shfl_xor_sync(0xffffffffu, lo, 1);
  hi = lo;
  o[threadIdx.x] = ((unsigned long long)hi << 32) | lo;
}
