extern "C" __global__ void first_cas(const int* x, int* o) {
  atomicCAS(o, 0, x[0]);
}
