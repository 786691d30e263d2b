extern "C" __global__ void pass(const float* x, float* mid, volatile unsigned* flag, float* o) {
  if (blockIdx.x == 1) {
    __threadfence();
    *flag = 1;
    mid[0] = x[1];
  } else {
    while (*flag == 0) {}
    __threadfence();
    o[0] = x[0] + mid[0];
  }
}
