extern "C" __global__ void popc_clear_lowest(const unsigned* __restrict__ x,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i];
  int n = 0;
#pragma unroll 1
  while (v != 0) { v &= v - 1; ++n; }
  out[i] = n;
}
