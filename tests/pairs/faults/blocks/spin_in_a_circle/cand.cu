extern "C" __global__ void twice_in_turn(const float* x, volatile int* flag, float* o) {
  int b = blockIdx.x;
  while (flag[1 - b] == 0) {}
  flag[b] = 1;
  o[b] = 2.f * x[b];
}
