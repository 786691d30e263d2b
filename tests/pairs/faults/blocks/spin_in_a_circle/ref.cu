extern "C" __global__ void twice(const float* x, float* o) {
  o[blockIdx.x] = 2.f * x[blockIdx.x];
}
