extern "C" __global__ void round_half_away(const float* __restrict__ x,
                                           signed char* __restrict__ out) {
  const int i = threadIdx.x;
  float v = fminf(fmaxf(x[i] * 4.f, -127.f), 127.f);
  out[i] = (int)rintf(v);
}
