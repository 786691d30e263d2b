extern "C" __global__ void dequant2(const int* q, const float* scale, float* o) {
  int i = blockIdx.x * 6 + threadIdx.x;
  float s = scale[i / 6 * 2 + i % 6 / 4];
  o[i] = (float)(q[i] & 15) * s;
}
