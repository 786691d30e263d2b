extern "C" __global__ void nibble_sign(const unsigned* __restrict__ p,
                                       const float* __restrict__ s,
                                       float* __restrict__ out) {
  const int i = threadIdx.x;
  int q;
  asm("bfe.s32 %0, %1, %2, 4;" : "=r"(q) : "r"(p[i / 8]), "r"(4 * (i % 8)));
  out[i] = s[i / 8] * (float)q;
}
