#include <cuda_bf16.h>

extern "C" __global__ void bf16_by_shift(const __nv_bfloat16* __restrict__ x,
                                         float* __restrict__ out) {
  const int i = threadIdx.x;
  out[2 * i] = __bfloat162float(x[2 * i]);
  out[2 * i + 1] = __bfloat162float(x[2 * i + 1]);
}
