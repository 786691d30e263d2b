extern "C" __global__ void mm(const float* a, const float* b, float* c, int K) {
  int i = threadIdx.y, j = threadIdx.x;
  float s = 0.f;
  for (int k = 0; k < K; ++k) s += a[i * K + k] * b[k * 4 + j];
  c[i * 4 + j] = s;
}
