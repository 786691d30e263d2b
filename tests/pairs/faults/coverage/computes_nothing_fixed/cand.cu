extern "C" __global__ void matmul_fast(const float* a, const float* b, float* c, unsigned* done) {
  __shared__ volatile float s[64];
  int i = threadIdx.y, j = threadIdx.x;
  float v = 0.f;
  for (int k = 7; k >= 0; --k) v += a[i * 8 + k] * b[k * 8 + j];
  s[i * 8 + j] = v;
  if (i + j == 0) *done = 1;
  c[i * 8 + j] = s[i * 8 + j];
}
