extern "C" __global__ void absolute_difference(const int* __restrict__ a,
                                               const int* __restrict__ b,
                                               unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  int d = (int)((unsigned)a[i] - (unsigned)b[i]), m = d >> 31;
  out[i] = (unsigned)((d ^ m) - m);
}
