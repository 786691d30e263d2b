extern "C" __global__ void float_max_signed(const float* __restrict__ x, int* w) {
  float v = x[0];
  for (int k = 1; k < 8; ++k) v = fmaxf(v, x[k]);
  if (threadIdx.x == 0) w[0] = __float_as_int(v);
}
extern "C" __global__ void decode(const int* __restrict__ w, float* __restrict__ out) {
  out[0] = __int_as_float(w[0]);
}
