extern "C" __global__ void wide_product(const unsigned long long* __restrict__ a,
                                        const unsigned long long* __restrict__ b,
                                        unsigned long long* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = __umul64hi(a[i], b[i]);
}
