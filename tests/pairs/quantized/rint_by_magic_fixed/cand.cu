extern "C" __global__ void rint_by_magic(const float* __restrict__ x,
                                         const float* __restrict__ s,
                                         float* __restrict__ out) {
  const int i = threadIdx.x;
  float v = fminf(fmaxf(x[i] / s[0], -128.f), 127.f);
  out[i] = __fsub_rn(__fadd_rn(v, 12582912.f), 12582912.f) * s[0];
}
