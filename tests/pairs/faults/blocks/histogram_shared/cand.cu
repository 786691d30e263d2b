extern "C" __global__ void hist_shared(const unsigned* x, unsigned* o) {
  __shared__ unsigned s[8];
  int t = threadIdx.x;
  if (t < 8) s[t] = 0;
  __syncthreads();
  s[x[t]] += 1;
  __syncthreads();
  if (t < 8) o[t] = s[t];
}
