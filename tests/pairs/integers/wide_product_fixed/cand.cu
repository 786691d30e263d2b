extern "C" __global__ void wide_product(const unsigned long long* __restrict__ a,
                                        const unsigned long long* __restrict__ b,
                                        unsigned long long* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned long long x0 = (unsigned)a[i], x1 = a[i] >> 32, y0 = (unsigned)b[i], y1 = b[i] >> 32;
  unsigned long long p = x0 * y0, q = x1 * y0, r = x0 * y1, s = x1 * y1;
  unsigned long long m = (p >> 32) + (unsigned)q + r;
  out[i] = s + (q >> 32) + (m >> 32);
}
