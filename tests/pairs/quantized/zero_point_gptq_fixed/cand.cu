extern "C" __global__ void zero_point_gptq(const unsigned* __restrict__ p,
                                           const unsigned* __restrict__ z,
                                           const float* __restrict__ s,
                                           float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned w = z[0];
  int q = (p[i / 8] >> (4 * (i % 8))) & 15, c = (w >> (4 * (i % 8))) & 15;
  out[i] = ((float)q - (float)(c + 1)) * s[0];
}
