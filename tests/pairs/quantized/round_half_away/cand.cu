extern "C" __global__ void round_half_away(const float* __restrict__ x,
                                           signed char* __restrict__ out) {
  const int i = threadIdx.x;
  float v = x[i] * 4.f;
  int q = (int)(v + copysignf(0.5f, v));
  out[i] = max(-127, min(127, q));
}
