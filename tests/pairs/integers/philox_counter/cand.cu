extern "C" __global__ void philox_counter(const unsigned* __restrict__ ctr,
                                          const unsigned* __restrict__ key,
                                          unsigned* __restrict__ out) {
  unsigned c0 = ctr[0], c1 = ctr[1], c2 = ctr[2], c3 = ctr[3], k0 = key[0], k1 = key[1];
#pragma unroll 1
  for (int round = 0; round < 10; ++round) {
    unsigned long long p = 0xCD9E8D57ull * c0, q = 0xD2511F53ull * c2;
    unsigned n0 = (unsigned)(q >> 32) ^ c1 ^ k0, n2 = (unsigned)(p >> 32) ^ c3 ^ k1;
    c1 = (unsigned)q; c3 = (unsigned)p; c0 = n0; c2 = n2;
    k0 -= 0x61C88647u; k1 -= 0x4498517Bu;
  }
  out[0] = c0; out[1] = c1; out[2] = c2; out[3] = c3;
}
