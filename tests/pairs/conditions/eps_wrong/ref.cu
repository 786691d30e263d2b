extern "C" __global__ void r(const float* x, float* o, float eps) {
  int t = threadIdx.x;
  o[t] = sqrtf(fmaxf(x[t] * x[t] + eps, 0.0f));
}
