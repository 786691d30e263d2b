extern "C" __global__ void neighbour64(const unsigned long long* x, unsigned long long* o) {
  o[threadIdx.x] = x[threadIdx.x ^ 1];
}
