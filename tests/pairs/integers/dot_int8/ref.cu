extern "C" __global__ void dot_int8(const int* __restrict__ a,
                                    const int* __restrict__ b,
                                    int* __restrict__ out) {
  const int i = threadIdx.x;
  int s = 0;
  for (int k = 0; k < 8; ++k) s = __dp4a(a[8 * i + k], b[8 * i + k], s);
  out[i] = s;
}
