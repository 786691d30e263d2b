extern "C" __global__ void draw(const int* x, unsigned* count, int* o) {
  unsigned row = atomicAdd(count, 1u);
  if (row < 4) o[row] = x[row] + (int)blockIdx.x;
}
