extern "C" __global__ void max_atomic(const int* x, int* o) {
  int v = x[blockIdx.x * 16 + threadIdx.x];
  atomicMax(o, v);
}
