extern "C" __global__ void dequant(const int* q, const float* scale, float* o) {
  int r = blockIdx.x, c = threadIdx.x;
  o[r * 6 + c] = scale[r * 2 + c / 4] * (float)(q[r * 6 + c] & 15);
}
