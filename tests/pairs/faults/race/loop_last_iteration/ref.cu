extern "C" __global__ void f(const float* x, float* o) {
  int t = threadIdx.x;
  float a = 0.f;
  for (int k = 0; k < 4; ++k) a += x[k * 64 + (t ^ 32)];
  o[t ^ 33] = a;
}
