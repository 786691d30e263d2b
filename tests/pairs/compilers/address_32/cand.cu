extern "C" __global__ void address_32(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned o = (unsigned)i * 0x50000000u;
  out[i] = x[o / 0x50000000u];
}
