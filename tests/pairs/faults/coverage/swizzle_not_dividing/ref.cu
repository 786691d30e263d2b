extern "C" __global__ void tiles(const float* x, float* o) {
  int i = blockIdx.x * 8 + threadIdx.x;
  o[i] = 2.f * x[i];
}
