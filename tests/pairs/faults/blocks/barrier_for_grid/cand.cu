extern "C" __global__ void partial(const float* x, float* part) {
  if (threadIdx.x == 0) {
    float a = 0.f;
#pragma unroll 1
    for (int j = 0; j < 32; ++j) a += x[blockIdx.x * 32 + j];
    part[blockIdx.x] = a;
  }
}
extern "C" __global__ void apply(const float* x, const float* part, float* o) {
  int i = blockIdx.x * 32 + threadIdx.x;
  o[i] = x[i] - (part[0] + part[1] + part[2]);
}
extern "C" __global__ void both(const float* x, float* part, float* o) {
  if (threadIdx.x == 0) {
    float a = 0.f;
#pragma unroll 1
    for (int j = 0; j < 32; ++j) a += x[blockIdx.x * 32 + j];
    part[blockIdx.x] = a;
  }
  __syncthreads();
  int i = blockIdx.x * 32 + threadIdx.x;
  o[i] = x[i] - (part[0] + part[1] + part[2]);
}
