extern "C" __global__ void pos(const float* x, float* o) {
  float v = x[threadIdx.x];
  o[threadIdx.x] = v > 0.f ? v : 0.f;
}
