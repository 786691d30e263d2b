// Running maxima of 64: Hillis and Steele against a loop
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const float v = t >= d ? s[t - d] : -INFINITY;
    __syncthreads();
    s[t] = fmaxf(s[t], v);
    __syncthreads();
  }
  out[t] = s[t];
}
