extern "C" __global__ void f_named(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  asm volatile("bar.sync %0, 64;" :: "r"(1) : "memory");
  float v = s[t ^ 32];
  asm volatile("bar.sync 2, 32;" ::: "memory");
  s[t] = v;
  __syncwarp();
  o[t] = s[t];
}
