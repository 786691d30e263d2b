// And, or and xor of 64 words: a loop against shuffles
// The first step of the xor is an or.
extern "C" __global__ void candidate(const unsigned* x, unsigned* out) {
  const int t = threadIdx.x;
  unsigned a = x[t] & x[t + 32], o = x[t] | x[t + 32], e = x[t] | x[t + 32];
  a = __reduce_and_sync(~0u, a);
  for (int d = 16; d > 0; d /= 2) {
    o |= __shfl_xor_sync(~0u, o, d);
    e ^= __shfl_xor_sync(~0u, e, d);
  }
  if (t == 0) {
    out[0] = a;
    out[1] = o;
    out[2] = e;
  }
}
