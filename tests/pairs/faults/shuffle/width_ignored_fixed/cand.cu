extern "C" __global__ void group_first_shfl(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = __shfl_sync(0xffffffffu, x[t], 0, 8);
}
