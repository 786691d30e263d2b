extern "C" __global__ void ordered_topk(const float* __restrict__ x, int* __restrict__ out) {
  unsigned long long best = 0;
  for (int k = 0; k < 8; ++k) {
    unsigned u = __float_as_uint(x[k]);
    u = (u & 0x80000000u) ? ~u : (u | 0x80000000u);
    unsigned long long key = ((unsigned long long)u << 32) | (unsigned)k;
    best = key > best ? key : best;
  }
  out[0] = (int)(best & 0xffffffffu);
}
