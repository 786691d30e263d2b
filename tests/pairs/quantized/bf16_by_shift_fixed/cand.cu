extern "C" __global__ void bf16_by_shift(const unsigned* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned u = x[i];
  out[2 * i] = __uint_as_float(u << 16);
  out[2 * i + 1] = __uint_as_float(u & 0xffff0000u);
}
