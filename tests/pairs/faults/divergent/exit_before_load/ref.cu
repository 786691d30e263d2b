extern "C" __global__ void dot_table(const float* x, const float* w, float* o, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  float a = 0.f;
#pragma unroll 1
  for (int j = 0; j < 64; ++j) a += w[j];
  o[t] = x[t] * a;
}
