extern "C" __global__ void add_thirds_pc(const float* x, float* o) {
  __shared__ float s[96];
  int t = threadIdx.x;
  if (t < 96) {
    s[t] = x[t];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    t -= 96;
    o[t] = s[31 - t] + s[63 - t] + s[95 - t];
  }
}
