extern "C" __global__ void last_block(const float* x, float* part, unsigned* count, float* o) {
  if (threadIdx.x == 0) {
    float a = 0.f;
    for (int j = 0; j < 32; ++j) a += x[blockIdx.x * 32 + j];
    part[blockIdx.x] = a;
    unsigned ticket = atomicInc(count, gridDim.x - 1);
    __threadfence();
    if (ticket == gridDim.x - 1) {
      float a = 0.f;
      for (int b = 0; b < (int)gridDim.x; ++b) a += part[b];
      o[0] = a;
    }
  }
}
