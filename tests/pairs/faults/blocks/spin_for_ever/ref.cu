extern "C" __global__ void twice(const float* x, float* o) {
  o[threadIdx.x] = 2.f * x[threadIdx.x];
}
