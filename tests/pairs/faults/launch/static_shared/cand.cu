extern "C" __global__ void mirror_static(const float* x, float* o) {
  __shared__ volatile float s[12352];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}
