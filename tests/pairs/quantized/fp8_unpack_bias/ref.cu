#include <cuda_fp16.h>

extern "C" __global__ void fp8_unpack_bias(const unsigned char* __restrict__ x,
                                           float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned short p = x[i];
  unsigned h;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(h) : "h"(p));
  out[i] = __half2float(__ushort_as_half((unsigned short)h));
}
