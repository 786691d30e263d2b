extern "C" __global__ void absolute_difference(const int* __restrict__ a,
                                               const int* __restrict__ b,
                                               unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned d = (unsigned)a[i] - (unsigned)b[i], m = a[i] < b[i] ? 0xffffffffu : 0u;
  out[i] = (d ^ m) - m;
}
