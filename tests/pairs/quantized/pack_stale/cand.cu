extern "C" __global__ void pack_stale(const float* __restrict__ x, unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = 0;
  for (int w = 0; w < 2; ++w) {
    
    for (int k = 0; k < 8; ++k) {
      int q = __float2int_rn(x[16 * i + 8 * w + k]);
      v |= (unsigned)(max(0, min(15, q))) << (4 * k);
    }
    out[2 * i + w] = v;
  }
}
