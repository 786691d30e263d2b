extern "C" __global__ void group_scale(const signed char* __restrict__ q,
                                       const float* __restrict__ s,
                                       const float* __restrict__ x,
                                       float* __restrict__ out) {
  float t = 0.f;
  for (int g = 0; g < 4; ++g) {
    float u = 0.f;
    for (int k = 0; k < 8; ++k) u = fmaf((float)q[8 * g + k], x[8 * g + k], u);
    t = fmaf(u, s[g], t);
  }
  out[0] = t;
}
