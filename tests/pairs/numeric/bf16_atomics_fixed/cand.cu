// F19: sums in bf16 by atomics, or in f32
#include <cuda_bf16.h>
extern "C" __global__ void candidate(const float* x, __nv_bfloat16* out) {
  const int t = threadIdx.x, i = blockIdx.x;
  atomicAdd(&out[t], __float2bfloat16(x[i * 16 + t]));
}
