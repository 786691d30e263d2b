extern "C" __global__ void scale_rev(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = 2.f * x[31 - t];
}
