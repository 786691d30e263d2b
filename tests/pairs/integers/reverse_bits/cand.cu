extern "C" __global__ void reverse_bits(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i];
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  v = ((v >> 8) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8);
  out[i] = v;
}
