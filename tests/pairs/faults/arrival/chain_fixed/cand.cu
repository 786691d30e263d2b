extern "C" __global__ void chain(const float* x, float* part, volatile unsigned* flag, float* o) {
  int b = blockIdx.x;
  float a = 0.f;
  for (int j = 0; j < 8; ++j) a += x[b * 8 + j];
  if (b > 0) {
    while (flag[b - 1] == 0) {}
    __threadfence();
    a += part[b - 1];
  }
  part[b] = a;
  __threadfence();
  flag[b] = 1;
  if (b == 3) o[0] = a;
}
