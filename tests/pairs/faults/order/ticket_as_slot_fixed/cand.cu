extern "C" __global__ void compact(const float* x, unsigned* count, float* o) {
  int i = blockIdx.x * 16 + threadIdx.x;
  unsigned slot = atomicAdd(count, 1u);
  if (slot < 32) o[i] = x[i];
}
