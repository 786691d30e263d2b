extern "C" __global__ void total_blocks(const int* x, int* o) {
  atomicAdd(o, x[blockIdx.x * 8 + threadIdx.x]);
}
