__device__ void copy16(void* to, const void* from) {
  unsigned s = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s), "l"(from) : "memory");
}
extern "C" __global__ void phase_restarts(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  __shared__ float buf[2][32];
  int phase = 0;
  copy16(&buf[0][i], x + i);
  asm volatile("cp.async.commit_group;" ::: "memory");
#pragma unroll 1
  for (int tile = 0; tile < 2; ++tile) {
    float s = 0.f;
    
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
      const int n = 3 * tile + k + 1;
      if (n < 6) copy16(&buf[phase ^ 1][i], x + 32 * n + i);
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      __syncthreads();
      s += buf[phase][31 - i];
      __syncthreads();
      phase ^= 1;
    }
    out[32 * tile + i] = s;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}
