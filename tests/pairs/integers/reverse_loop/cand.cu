extern "C" __global__ void reverse_loop(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i], r = 0;
#pragma unroll 1
  for (int k = 0; k < 31; ++k) { r = (r << 1) | (v & 1); v >>= 1; }
  out[i] = r;
}
