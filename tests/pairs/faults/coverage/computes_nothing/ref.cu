extern "C" __global__ void matmul(const float* a, const float* b, float* c, unsigned* done) {
  int i = threadIdx.y, j = threadIdx.x;
  if (i + j == 0) *done = 1;
  float s = 0.f;
  for (int k = 0; k < 8; ++k) s += a[i * 8 + k] * b[k * 8 + j];
  c[i * 8 + j] = s;
}
