extern "C" __global__ void add2(const float* x, float* o) {
  o[threadIdx.x] = x[threadIdx.x] + x[32 + threadIdx.x];
}
