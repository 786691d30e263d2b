extern "C" __global__ void nibble_sign(const unsigned* __restrict__ p,
                                       const float* __restrict__ s,
                                       float* __restrict__ out) {
  const int i = threadIdx.x;
  int q = (int)(((p[i / 8] >> (4 * (i % 8))) & 15u) ^ 8u) - 8;
  out[i] = s[i / 8] * (float)q;
}
