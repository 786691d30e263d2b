__constant__ int table[4] = {3, 1, 4, 1};
extern "C" __global__ void step_table(const int* x, int* o) {
  o[threadIdx.x] = table[x[threadIdx.x]];
}
