extern "C" __global__ void masked2(float* p, float* o) {
  int t = threadIdx.x, b = blockIdx.x;
  float v = p[t];
  o[b * 32 + t] = t == b ? 0.f : v;
}
