extern "C" __global__ void absolute_difference(const int* __restrict__ a,
                                               const int* __restrict__ b,
                                               unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = a[i] > b[i] ? (unsigned)a[i] - (unsigned)b[i] : (unsigned)b[i] - (unsigned)a[i];
}
