extern "C" __global__ void c(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = 1.0f + x[t] * (1.0f + x[t] * (0.5f + x[t] * (0.16666667f + x[t] * (0.041666668f + x[t] * 0.008333334f))));
}
