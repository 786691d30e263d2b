extern "C" __global__ void floor_division_by(const int* __restrict__ a,
                                             const int* __restrict__ b,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  int q = a[i] / b[i];
  if (a[i] % b[i] != 0 && a[i] < 0) --q;
  out[i] = q;
}
