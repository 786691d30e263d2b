extern "C" __global__ void add_thirds(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = x[31 - t] + x[63 - t] + x[95 - t];
}
