extern "C" __global__ void modular_product(const unsigned* __restrict__ a,
                                           const unsigned* __restrict__ b,
                                           unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned long long p = (unsigned long long)a[i] * b[i];
  p = (p >> 31) + (p & 2147483647ull);
  if (p >= 2147483647ull) p -= 2147483647ull;
  out[i] = (unsigned)p;
}
