__device__ float factor = 2.f;
extern "C" __global__ void second_launch(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  float f = factor;
  out[i] = x[i] * f;
  __syncthreads();
  if (i == 0) factor = f * 0.5f;
}
