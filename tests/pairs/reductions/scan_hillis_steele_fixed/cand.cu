// Inclusive sums of 128: Hillis and Steele against a loop
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float s[2][128];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}
