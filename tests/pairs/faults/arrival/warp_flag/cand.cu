extern "C" __global__ void hand_over(const float* x, float* o) {
  __shared__ float s[32];
  __shared__ volatile int flag;
  int t = threadIdx.x & 31;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    s[t] = x[t];
    __syncwarp();
    if (t == 0) {
      flag = 1;
    }
  } else {
    if (t == 0) {
      while (flag == 0) {}
      __threadfence_block();
    }
    __syncwarp();
    o[t] = s[31 - t] + 1.f;
  }
}
