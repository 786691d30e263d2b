extern "C" __global__ void copy(const float* x, float* o, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) o[i] = x[i];
}
