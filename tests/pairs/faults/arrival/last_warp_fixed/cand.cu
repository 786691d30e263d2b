extern "C" __global__ void last_warp(const float* x, float* o) {
  __shared__ float part[4];
  __shared__ unsigned count;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (lane == 0) {
    float a = 0.f;
    for (int j = 0; j < 32; ++j) a += x[warp * 32 + j];
    part[warp] = a;
    __threadfence_block();
    bool last = atomicAdd(&count, 1u) == 3;
    if (last) {
      __threadfence_block();
      o[0] = part[0] + part[1] + part[2] + part[3];
    }
  }
}
