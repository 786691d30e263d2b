__device__ float factor = 2.f;
extern "C" __global__ void second_launch(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  if (i == 0) factor = 2.f;
  __syncthreads();
  out[i] = x[i] * *(volatile float*)&factor;
}
