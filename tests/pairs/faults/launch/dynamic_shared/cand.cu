extern __shared__ float s[];
extern "C" __global__ void mirror_shared(const float* x, float* o) {
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}
