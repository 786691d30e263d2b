extern "C" __global__ void floor_division(const int* __restrict__ a, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = a[i];
  out[i] = v >= 0 ? v / 6 : ~(~v / 6);
}
