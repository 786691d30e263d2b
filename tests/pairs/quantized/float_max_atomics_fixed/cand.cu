extern "C" __global__ void float_max_atomics(const float* __restrict__ x, unsigned* w) {
  float v = x[threadIdx.x];
  for (int d = 4; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffu, v, d));
  if (threadIdx.x == 0) w[0] = __float_as_uint(v);
}
extern "C" __global__ void decode(const unsigned* __restrict__ w, float* __restrict__ out) {
  out[0] = __uint_as_float(w[0]);
}
