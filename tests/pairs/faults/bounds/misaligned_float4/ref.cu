extern "C" __global__ void heads(const float* x, float* o, int ld) {
  o[blockIdx.x * 4 + threadIdx.x] = x[blockIdx.x * ld + threadIdx.x];
}
