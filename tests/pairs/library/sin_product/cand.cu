extern "C" __global__ void k(float* o, const float* x) {
  int i = threadIdx.x;
  o[i] = x[i] * sinf(1.0f + x[i] * x[i]);
}
