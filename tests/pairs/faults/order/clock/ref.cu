extern "C" __global__ void copy32(const int* x, int* o) {
  o[threadIdx.x] = x[threadIdx.x];
}
