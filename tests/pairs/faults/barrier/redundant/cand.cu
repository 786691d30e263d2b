extern "C" __global__ void axpb_barriers(const float* x, float* o) {
  __shared__ float s[80];
  int i = blockIdx.x * 80 + threadIdx.x;
  __syncthreads();
  s[threadIdx.x] = 3.f * x[i];
  __syncthreads();
  __syncwarp();
  o[i] = s[threadIdx.x] + 1.f;
  __syncthreads();
}
