extern "C" __global__ void unsigned_max(const unsigned* __restrict__ a,
                                        const unsigned* __restrict__ b,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  int x = (int)(a[i] ^ 0x80000000u), y = (int)(b[i] ^ 0x80000000u);
  out[i] = (unsigned)max(x, y) ^ 0x80000000u;
}
