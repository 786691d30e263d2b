__device__ __forceinline__ void copy_in(void* to, const void* from) {
  unsigned a = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(a), "l"(from) : "memory");
}
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")
extern "C" __global__ void mirror_async(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  copy_in(&s[t], &x[t]);
  COMMIT;
  WAIT(0);
  __syncthreads();
  o[t] = s[63 - t];
}
