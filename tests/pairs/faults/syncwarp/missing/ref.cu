extern "C" __global__ void neighbour(const float* x, float* o) {
  int t = threadIdx.x, b = blockIdx.x * 32;
  o[b + t] = x[b + (t ^ 1)] - x[b + t];
}
