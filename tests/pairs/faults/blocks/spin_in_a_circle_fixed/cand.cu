extern "C" __global__ void twice_in_turn(const float* x, volatile int* flag, float* o) {
  int b = blockIdx.x;
  flag[b] = 1;
  while (flag[1 - b] == 0) {}
  o[b] = 2.f * x[b];
}
