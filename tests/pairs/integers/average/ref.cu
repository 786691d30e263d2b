extern "C" __global__ void average(const unsigned* __restrict__ a,
                                   const unsigned* __restrict__ b,
                                   unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = (unsigned)(((unsigned long long)a[i] + b[i]) >> 1);
}
