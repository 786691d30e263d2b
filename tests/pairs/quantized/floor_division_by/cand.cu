extern "C" __global__ void floor_division_by(const int* __restrict__ a,
                                             const int* __restrict__ b,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = a[i] / b[i];
}
