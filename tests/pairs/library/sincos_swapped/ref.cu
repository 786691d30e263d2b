extern "C" __global__ void k(float* o, const float* x) {
  int i = threadIdx.x;
  o[i] = 2.0f * sinf(x[i]) + cosf(x[i]);
}
