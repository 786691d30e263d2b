extern "C" __global__ void matmul_fast(const float* a, const float* b, float* c) {
  int i = threadIdx.y, j = threadIdx.x;
  c[i * 8 + j] = 0.f;
}
