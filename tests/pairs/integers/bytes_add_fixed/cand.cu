extern "C" __global__ void bytes_add(const unsigned* __restrict__ a,
                                     const unsigned* __restrict__ b,
                                     unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned low = (a[i] & 0x7f7f7f7fu) + (b[i] & 0x7f7f7f7fu);
  out[i] = low ^ ((a[i] ^ b[i]) & 0x80808080u);
}
