extern "C" __global__ void swap_pairs(const float* x, float* o, float* z, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = x[i ^ 1];
  z[threadIdx.x] = x[threadIdx.x ^ 32];
}
