extern "C" __global__ void rotate_half(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = t < 16 ? x[t] - x[t ^ 8] : x[t];
}
