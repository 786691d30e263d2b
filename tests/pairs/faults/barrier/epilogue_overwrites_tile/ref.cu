extern "C" __global__ void col_sums_rev(const float* x, float* o, int flag) {
  int t = threadIdx.x;
  float a = 0.f;
  for (int r = 0; r < 8; ++r) a += x[r * 64 + t];
  o[63 - t] = a;
}
