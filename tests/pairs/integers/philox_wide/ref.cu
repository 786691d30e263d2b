extern "C" __global__ void philox_wide(const unsigned* __restrict__ key,
                                       unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned c0 = i, c1 = 0, c2 = 7, c3 = 0, k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
    unsigned h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
    c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0;
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  out[4 * i] = c0; out[4 * i + 1] = c1; out[4 * i + 2] = c2; out[4 * i + 3] = c3;
}
