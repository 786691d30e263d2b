extern "C" __global__ void mirror64_groups(const float* x, float* o) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  asm volatile("bar.sync %0, 64;" :: "r"(t / 64 + 1) : "memory");
  o[t] = s[t ^ 63];
}
