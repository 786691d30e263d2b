__device__ unsigned count;
__device__ float parts[4];
extern "C" __global__ void sum_last(const float* x, float* o) {
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) {
    parts[blockIdx.x] = x[2 * blockIdx.x] + x[2 * blockIdx.x + 1];
    __threadfence();
    last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    float s = 0.f;
    for (int i = 0; i < 4; ++i) s += ((volatile float*)parts)[i];
    o[0] = s;
  }
}
