extern "C" __global__ void c(const float* x, float* o, float lo, float hi) {
  int t = threadIdx.x;
  o[t] = fminf(fminf(x[t], hi), 2.0f * hi) + lo;
}
