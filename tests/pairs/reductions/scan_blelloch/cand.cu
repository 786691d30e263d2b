// Exclusive sums of 128: Blelloch, up and down, against a loop
// The way down starts from the sum, not from zero.
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  s[t + 64] = x[t + 64];
  for (int d = 1; d < 128; d *= 2) {
    __syncthreads();
    const int i = 2 * d * (t + 1) - 1;
    if (i < 128) s[i] += s[i - d];
  }
  __syncthreads();
  if (t == 0) s[127] -= x[127];
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    const int i = 2 * d * (t + 1) - 1;
    if (i < 128) {
      const float left = s[i - d];
      s[i - d] = s[i];
      s[i] += left;
    }
  }
  __syncthreads();
  out[t] = s[t];
  out[t + 64] = s[t + 64];
}
