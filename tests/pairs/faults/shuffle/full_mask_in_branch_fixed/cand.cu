extern "C" __global__ void rotate_half_shfl(const float* x, float* o) {
  int t = threadIdx.x;
  float v = x[t];
  float u = __shfl_xor_sync(0xffffffffu, v, 8);
  if (t < 16) v -= u;
  o[t] = v;
}
