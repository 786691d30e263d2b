extern "C" __global__ void prefix_atomic(const int* x, int* sum, int* o) {
  int b = blockIdx.x;
  o[b] = atomicAdd(sum, x[b]);
}
