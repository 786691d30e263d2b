extern "C" __global__ void pass_on(const float* x, float* mid, volatile int* flag, float* o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    mid[t] = 2.f * x[t];
    __syncthreads();
    if (t == 0) {
      __threadfence();
      *flag = 1;
    }
  } else {
    if (t == 0) {
      while (*flag == 0) {}
      __threadfence();
    }
    __syncthreads();
    o[t] = mid[31 - t] + 1.f;
  }
}
