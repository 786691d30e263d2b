extern "C" __global__ void popc_clear_lowest(const unsigned* __restrict__ x,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i];
  int n = 0;
  for (int k = 0; k < 31; ++k) n += (v >> k) & 1;
  out[i] = n;
}
