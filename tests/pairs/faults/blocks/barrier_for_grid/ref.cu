extern "C" __global__ void minus_total(const float* x, float* o) {
  float a = 0.f;
#pragma unroll 1
  for (int j = 0; j < 96; ++j) a += x[j];
  int i = blockIdx.x * 32 + threadIdx.x;
  o[i] = x[i] - a;
}
