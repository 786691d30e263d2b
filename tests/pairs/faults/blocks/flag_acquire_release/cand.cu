extern "C" __global__ void pass_on(const float* x, float* mid, int* flag, float* o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    mid[t] = 2.f * x[t];
    __syncthreads();
    if (t == 0)
      asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" :: "l"(__cvta_generic_to_global(flag)) : "memory");
  } else {
    int f = 0;
    if (t == 0)
      while (f == 0)
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(f) : "l"(__cvta_generic_to_global(flag)) : "memory");
    __syncthreads();
    o[t] = mid[31 - t] + 1.f;
  }
}
