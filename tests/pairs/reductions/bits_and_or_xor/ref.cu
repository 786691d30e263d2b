// And, or and xor of 64 words: a loop against shuffles
// The reference.
extern "C" __global__ void reference(const unsigned* x, unsigned* out) {
  if (threadIdx.x != 0) return;
  unsigned a = ~0u, o = 0, e = 0;
  for (int i = 0; i < 64; ++i) {
    a &= x[i];
    o |= x[i];
    e ^= x[i];
  }
  out[0] = a;
  out[1] = o;
  out[2] = e;
}
