extern "C" __global__ void transpose_pairs(float* a) {
  int i = threadIdx.y, j = threadIdx.x;
  float* p = a + blockIdx.x * 256;
  if (i < j) {
    float u = p[i * 16 + j], v = p[j * 16 + i];
    p[i * 16 + j] = v;
    p[j * 16 + i] = u;
  }
}
