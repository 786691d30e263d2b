extern "C" __global__ void r(const float* x, float* o, float s) {
  int t = threadIdx.x;
  o[t] = x[t] + 0.0f * 1.0f;
}
