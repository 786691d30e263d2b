// First of the greatest of 64 integers as the maximum of value and place in one word
extern "C" __global__ void candidate(const int* x, int* out) {
  __shared__ long long keys[64];
  const int t = threadIdx.x;
  keys[t] = ((long long)x[t] << 32) | (63 - t);
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) keys[t] = max(keys[t], keys[t + d]);
    __syncthreads();
  }
  if (t == 0) out[0] = 63 - (int)(keys[0] & 63);
}
