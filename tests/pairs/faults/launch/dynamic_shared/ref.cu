extern "C" __global__ void mirror(const float* x, float* o) {
  o[threadIdx.x] = x[63 - threadIdx.x];
}
