extern "C" __global__ void histogram(const int* __restrict__ x, unsigned* out) {
  const int i = threadIdx.x;
  atomicAdd(out + x[i], 1u);
}
