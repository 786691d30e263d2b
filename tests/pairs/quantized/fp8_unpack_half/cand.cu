#include <cuda_fp16.h>

extern "C" __global__ void fp8_unpack_half(const unsigned char* __restrict__ x,
                                           float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned u = x[i];
  out[i] = __half2float(__ushort_as_half((unsigned short)u));
}
