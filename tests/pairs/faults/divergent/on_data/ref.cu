extern "C" __global__ void relu_next(const float* x, float* o) {
  int t = threadIdx.x;
  float v = x[t];
  o[t] = v > 0.f ? v + x[t ^ 32] : 0.f;
}
