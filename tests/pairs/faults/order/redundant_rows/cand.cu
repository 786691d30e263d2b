extern "C" __global__ void by_each_warp(const float* x, float* o) {
  for (int c = threadIdx.x & 31; c < 64; c += 32) o[c] = x[c] * 0.5f;
}
