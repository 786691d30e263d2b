extern "C" __global__ void last(const int* x, unsigned* count, int* o) {
  unsigned ticket = atomicAdd(count, 1u);
  if (ticket == 3) o[0] = x[3];
}
