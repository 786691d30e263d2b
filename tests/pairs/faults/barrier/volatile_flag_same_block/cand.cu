extern "C" __global__ void rotate_flag(const float* x, float* o) {
  __shared__ float s[32];
  __shared__ volatile int flag[32];
  int t = threadIdx.x & 31;
  if (threadIdx.x < 32) flag[t] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    s[t] = x[t];
    flag[t] = 1;
  } else {
    while (flag[(t + 1) & 31] == 0) {}
    o[t] = s[(t + 1) & 31];
  }
}
