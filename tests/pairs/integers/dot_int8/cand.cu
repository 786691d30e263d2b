extern "C" __global__ void dot_int8(const signed char* __restrict__ a,
                                    const unsigned char* __restrict__ b,
                                    int* __restrict__ out) {
  const int i = threadIdx.x;
  int s = 0;
  for (int k = 0; k < 32; ++k) s += a[32 * i + k] * b[32 * i + k];
  out[i] = s;
}
