extern "C" __global__ void reverse_shared(const float* x, float* o, int n) {
  __shared__ float s[160];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = x[t];
  __syncthreads();
  o[t] = s[n - 1 - t];
}
