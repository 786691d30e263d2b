extern "C" __global__ void floor_division(const int* __restrict__ a, int* __restrict__ out) {
  const int i = threadIdx.x;
  int q = a[i] / 6;
  if (a[i] % 6 != 0 && a[i] < 0) --q;
  out[i] = q;
}
