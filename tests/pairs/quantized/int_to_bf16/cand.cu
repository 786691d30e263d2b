#include <cuda_bf16.h>

extern "C" __global__ void int_to_bf16(const int* __restrict__ x, __nv_bfloat16* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned u = __float_as_uint((float)x[i]);
  out[i] = __ushort_as_bfloat16((unsigned short)(u >> 16));
}
