extern "C" __global__ void group_neighbour(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = x[t] + x[t ^ 4];
}
