extern "C" __global__ void remainder_digits(const unsigned* __restrict__ x,
                                            unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i], q;
  q = (v >> 24) + ((v >> 16) & 255) + ((v >> 8) & 255) + (v & 255);
  q = (q >> 8) + (q & 255);
  if (q >= 255) q -= 255;
  out[i] = q;
}
