extern "C" __global__ void total_blocks(const float* x, float* o) {
  if (threadIdx.x == 0) {
    float a = 0.f;
#pragma unroll 1
    for (int j = 0; j < 32; ++j) a += x[blockIdx.x * 32 + j];
    o[0] += a;
  }
}
