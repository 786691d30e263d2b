extern "C" __global__ void pack_stale(const float* __restrict__ x, unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  for (int w = 0; w < 2; ++w) {
    unsigned v = 0;
    for (int k = 7; k >= 0; --k) {
      float q = fminf(fmaxf(x[16 * i + 8 * w + k], 0.f), 15.f);
      v = v * 16u + (unsigned)__float2int_rn(q);
    }
    out[2 * i + w] = v;
  }
}
