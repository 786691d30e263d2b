__device__ float block_sum(float v, float* s) {
  s[threadIdx.x] = v;
  __syncthreads();
  float a = 0.f;
#pragma unroll 1
  for (int j = 0; j < 96; ++j) a += s[j];
  return a;
}
extern "C" __global__ void two_sums_shared(const float* x, float* o) {
  __shared__ float s[96];
  float v = x[threadIdx.x];
  o[threadIdx.x * 2] = block_sum(v, s);
  o[threadIdx.x * 2 + 1] = block_sum(v * v, s);
}
