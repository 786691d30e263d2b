// F8: an epsilon that is 0 in half
// 1e-12 rounds to 0: a row of zeros divides by zero.
#include <cuda_fp16.h>
extern "C" __global__ void candidate(const __half* x, float* out) {
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int i = 0; i < 16; ++i) v += __half2float(x[i]) * __half2float(x[i]);
  out[t] = __half2float(x[t]) / __half2float(hsqrt(__hadd(__float2half(v), __ushort_as_half(0x0000))));
}
