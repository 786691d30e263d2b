extern "C" __global__ void ring(const int* x, int* o) {
  int k = x[threadIdx.x] & 7;
  o[threadIdx.x] = (int)threadIdx.x * 8 + (k ^ 3) * 5;
}
