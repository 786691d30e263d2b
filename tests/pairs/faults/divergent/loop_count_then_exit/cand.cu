extern "C" __global__ void swap_pairs_shared(const float* x, float* o, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    o[i] = s[threadIdx.x ^ 1];
    __syncthreads();
  }
}
