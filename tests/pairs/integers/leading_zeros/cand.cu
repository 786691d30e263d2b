extern "C" __global__ void leading_zeros(const unsigned* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i];
  int n = 0;
  if (v == 0) { out[i] = 32; return; }
  if ((v >> 16) == 0) { n += 16; v <<= 16; }
  if ((v >> 24) == 0) { n += 8; v <<= 8; }
  if ((v >> 28) == 0) { n += 4; v <<= 4; }
  if ((v >> 30) == 0) { n += 2; v <<= 2; }
  out[i] = n;
}
