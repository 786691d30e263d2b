extern "C" __global__ void morton(const unsigned* __restrict__ x,
                                  const unsigned* __restrict__ y,
                                  unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned r = 0;
  for (int k = 0; k < 16; ++k) r |= ((x[i] >> k) & 1u) << (2 * k) | ((y[i] >> k) & 1u) << (2 * k + 1);
  out[i] = r;
}
