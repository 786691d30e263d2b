extern "C" __global__ void tiles_swizzled(const float* x, float* o, int gm, int gn) {
  int pid = blockIdx.x, first = pid / (3 * gn) * 3;
  int size = 3;
  int m = first + pid % (3 * gn) % size, n = pid % (3 * gn) / size;
  if (m >= gm) return;
  int i = (m * gn + n) * 8 + threadIdx.x;
  o[i] = 2.f * x[i];
}
