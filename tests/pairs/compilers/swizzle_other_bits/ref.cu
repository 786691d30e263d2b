extern "C" __global__ void swizzle_other_bits(const float* __restrict__ x,
                                              float* __restrict__ out) {
  const int i = threadIdx.x;
  for (int r = i / 16; r < 16; r += 4) out[r * 16 + i % 16] = x[(i % 16) * 16 + r];
}
