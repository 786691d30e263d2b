extern "C" __global__ void heads32(const float* x, float* o, int stride) {
  int row = blockIdx.x;
  int at = row * stride + (int)threadIdx.x;
  o[row * 8 + threadIdx.x] = x[at];
}
