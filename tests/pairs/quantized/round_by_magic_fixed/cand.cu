extern "C" __global__ void round_by_magic(const float* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  float v = fminf(fmaxf(x[i], -100000.f), 100000.f);
  out[i] = __float_as_int(__fadd_rn(v, 12582912.f)) - 0x4B400000;
}
