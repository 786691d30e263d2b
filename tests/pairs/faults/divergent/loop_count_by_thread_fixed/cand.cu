extern "C" __global__ void swap_pairs_shared(const float* x, float* o, float* z, int n) {
  __shared__ float s[64];
  for (int b = 0; b < n; b += blockDim.x) {
    int i = b + threadIdx.x;
    if (i < n) s[threadIdx.x] = x[i];
    __syncthreads();
    if (i < n) o[i] = s[threadIdx.x ^ 1];
    __syncthreads();
  }
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  z[threadIdx.x] = s[threadIdx.x ^ 32];
}
