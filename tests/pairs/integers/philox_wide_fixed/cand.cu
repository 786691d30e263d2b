extern "C" __global__ void philox_wide(const unsigned* __restrict__ key,
                                       unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned c0 = i, c1 = 0, c2 = 7, c3 = 0, k0 = key[0], k1 = key[1];
#pragma unroll 1
  for (int round = 0; round < 10; ++round) {
    unsigned long long p = 0xD2511F53ull * c0, q = 0xCD9E8D57ull * c2;
    unsigned a = k0 + round * 0x9E3779B9u, b = k1 + round * 0xBB67AE85u;
    c0 = (unsigned)(q >> 32) ^ c1 ^ a; c1 = (unsigned)q;
    c2 = (unsigned)(p >> 32) ^ c3 ^ b; c3 = (unsigned)p;
  }
  reinterpret_cast<uint4*>(out)[i] = make_uint4(c0, c1, c2, c3);
}
