extern "C" __global__ void pull2(const float* x, float* o) {
  int i = threadIdx.x;
  float v = x[(i + 1) & 63];
  o[i] = 1.f + v;
}
