// F17: a product rounded to bf16 before the sum, or kept
// A factor loses bits of its significand.
#include <cuda_bf16.h>
extern "C" __global__ void candidate(const __nv_bfloat16* x, const __nv_bfloat16* y, const __nv_bfloat16* z, __nv_bfloat16* out) {
  const int t = threadIdx.x;
  out[t] = __float2bfloat16(fmaf(__int_as_float(__float_as_int(__bfloat162float(x[t])) & 0xfff00000), __bfloat162float(y[t]), __bfloat162float(z[t])));
}
