extern "C" __global__ void transpose_each(float* a) {
  int i = threadIdx.y, j = threadIdx.x;
  float* p = a + blockIdx.x * 256;
  float v = p[i * 16 + j];
  __syncthreads();
  p[j * 16 + i] = v;
}
