extern "C" __global__ void group_scale(const signed char* __restrict__ q,
                                       const float* __restrict__ s,
                                       const float* __restrict__ x,
                                       float* __restrict__ out) {
  float t = 0.f;
  for (int k = 0; k < 32; ++k) t += (float)q[k] * s[k >> 2] * x[k];
  out[0] = t;
}
