extern "C" __global__ void c(const float* x, float* o, float eps) {
  int t = threadIdx.x;
  o[t] = sqrtf(x[t] * x[t] + eps);
}
