extern "C" __global__ void floor_division_by(const int* __restrict__ a,
                                             const int* __restrict__ b,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = a[i], d = b[i];
  int q = (v - (v < 0 ? d - 1 : 0)) / d;
  out[i] = q;
}
