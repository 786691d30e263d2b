extern "C" __global__ void ceil_division(const int* __restrict__ a, int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = (a[i] + 7) >> 3;
}
