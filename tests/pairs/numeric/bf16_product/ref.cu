// F17: a product rounded to bf16 before the sum, or kept
// The reference.
#include <cuda_bf16.h>
extern "C" __global__ void reference(const __nv_bfloat16* x, const __nv_bfloat16* y, const __nv_bfloat16* z, __nv_bfloat16* out) {
  const int t = threadIdx.x;
  const __nv_bfloat16 p = __float2bfloat16(__bfloat162float(x[t]) * __bfloat162float(y[t]));
  out[t] = __float2bfloat16(__bfloat162float(p) + __bfloat162float(z[t]));
}
