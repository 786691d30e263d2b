__constant__ int table[5] = {3, 1, 4, 1, 9};
extern "C" __global__ void step_table(const int* x, int* o) {
  o[threadIdx.x] = table[x[threadIdx.x]];
}
