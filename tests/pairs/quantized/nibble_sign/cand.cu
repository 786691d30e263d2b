extern "C" __global__ void nibble_sign(const unsigned* __restrict__ p,
                                       const float* __restrict__ s,
                                       float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned q = (p[i / 8] >> (4 * (i % 8))) & 15u;
  out[i] = s[i / 8] * (float)q;
}
