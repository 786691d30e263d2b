extern "C" __global__ void flagged(const int* x, int* o) {
  __shared__ volatile int stop;
  __syncwarp();
  int v = x[threadIdx.x];
  if (stop == 0) v += 1; else v -= 1;
  o[threadIdx.x] = v;
}
