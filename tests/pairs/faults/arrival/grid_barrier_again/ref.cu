extern "C" __global__ void f(const float* x, float* o) {
  int i = threadIdx.x;
  o[i] = x[(i + 2) % 3 ] * 4.f + 1.f;
}
