extern "C" __global__ void dot_int4(const unsigned* __restrict__ a,
                                    const unsigned* __restrict__ b,
                                    int* __restrict__ out) {
  const int i = threadIdx.x;
  int s = 0;
  for (int w = 0; w < 2; ++w) {
    int x = a[2 * i + w], y = b[2 * i + w];
    for (int k = 0; k < 8; ++k) s += ((x << (28 - 4 * k)) >> 28) * ((y << (28 - 4 * k)) >> 28);
  }
  out[i] = s;
}
