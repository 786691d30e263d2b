#include <cuda_bf16.h>

extern "C" __global__ void int_to_bf16(const int* __restrict__ x, __nv_bfloat16* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = __int2bfloat16_rn(x[i]);
}
