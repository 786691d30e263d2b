extern "C" __global__ void twice_sm(const float* x, float* o) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  int i = blockIdx.x * 32 + threadIdx.x;
  o[i] = sm == 0 ? x[i] : 2.f * x[i];
}
