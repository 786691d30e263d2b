extern "C" __global__ void maybe(const float* x, const int* go, float* o, int flag) {
  int t = threadIdx.x;
  float v = x[t];
  if (flag) v = x[t ^ 32];
  if (go[0] > 0) v += x[63 - t];
  o[t] = v;
}
