extern "C" __global__ void rotate_flag(const float* x, float* o) {
  __shared__ float s[32];
  int t = threadIdx.x & 31;
  if (threadIdx.x < 32) s[t] = x[t];
  __syncthreads();
  if (threadIdx.x >= 32) o[t] = s[(t + 1) & 31];
}
