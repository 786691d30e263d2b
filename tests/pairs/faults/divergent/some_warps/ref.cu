extern "C" __global__ void shift(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = x[(t + 1) % 128] + (t < 64 ? 1.f : 0.f);
}
