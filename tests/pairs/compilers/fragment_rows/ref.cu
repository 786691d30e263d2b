#include <cuda_fp16.h>

extern "C" __global__ void fragment_rows(const __half* __restrict__ x,
                                         const __half* __restrict__ y,
                                         float* __restrict__ out) {
  const int i = threadIdx.x;
  for (int e = i; e < 128; e += 32) {
    float s = 0.f;
    for (int k = 0; k < 16; ++k) s += __half2float(x[e / 8 * 16 + k]) * __half2float(y[k * 8 + e % 8]);
    out[e] = s;
  }
}
