extern "C" __global__ void swizzle_one_side(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  __shared__ float tile[16 * 16];
  for (int r = i / 16; r < 16; r += 4) tile[r * 16 + (i % 16 ^ r)] = x[r * 16 + i % 16];
  __syncthreads();
  for (int r = i / 16; r < 16; r += 4) out[r * 16 + i % 16] = tile[(i % 16) * 16 + (r ^ i % 16)];
}
