extern "C" __global__ void pass(const float* x, float* mid, volatile unsigned* flag, float* o) {
  int b = blockIdx.x;
  if (b < 2) {
    mid[b] = x[b + 1];
    __threadfence();
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {}
    __threadfence();
    o[0] = mid[0] + mid[1];
  }
}
