extern "C" __global__ void once(const float* x, float* o) {
  o[threadIdx.x] = x[threadIdx.x] * 0.5f;
}
