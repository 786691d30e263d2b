extern "C" __global__ void step(const int* x, int* o) {
  int k = x[threadIdx.x];
  o[threadIdx.x] = k == 0 ? 3 : k == 1 ? 1 : k == 2 ? 4 : k == 3 ? 1 : 9;
}
