extern "C" __global__ void float_max_atomics(const float* __restrict__ x, unsigned* w) {
  int i = threadIdx.x;
  unsigned u = __float_as_uint(x[i]);
  atomicMax(w, (u & 0x80000000u) ? ~u : (u | 0x80000000u));
}
extern "C" __global__ void decode(const unsigned* __restrict__ w, float* __restrict__ out) {
  unsigned k = w[0];
  out[0] = __uint_as_float((k & 0x80000000u) ? (k & 0x7fffffffu) : ~k);
}
