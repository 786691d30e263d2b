extern "C" __global__ void total(const float* x, float* o) {
  float a = 0.f;
#pragma unroll 1
  for (int j = 0; j < 96; ++j) a += x[j];
  o[0] = a;
}
