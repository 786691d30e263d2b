extern "C" __global__ void rotate_half_shfl(const float* x, float* o) {
  int t = threadIdx.x;
  float v = x[t];
  if (t < 16) v -= __shfl_xor_sync(0xffffffffu, v, 8);
  o[t] = v;
}
