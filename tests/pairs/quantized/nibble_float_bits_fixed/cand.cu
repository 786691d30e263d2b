extern "C" __global__ void nibble_float_bits(const unsigned* __restrict__ p,
                                             const float* __restrict__ s,
                                             float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned q = ((p[i / 8] >> (4 * (i % 8))) & 15u) | 0x4B000000u;
  out[i] = s[i / 8] * (__uint_as_float(q) - 8388608.f);
}
