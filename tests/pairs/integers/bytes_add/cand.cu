extern "C" __global__ void bytes_add(const unsigned* __restrict__ a,
                                     const unsigned* __restrict__ b,
                                     unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = a[i] + b[i];
}
