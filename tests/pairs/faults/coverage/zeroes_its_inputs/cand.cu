extern "C" __global__ void mul_clear(float* x, const float* y, float* o) {
  int i = threadIdx.x;
  float v = x[i];
  o[i] = y[i] * v;
  x[i] = 0.f;
}
