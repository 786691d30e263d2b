#include <cuda_fp16.h>

__device__ unsigned pack(__half lo, __half hi) {
  return (unsigned)__half_as_ushort(lo) | (unsigned)__half_as_ushort(hi) << 16;
}
extern "C" __global__ void dot_transposed(const __half* __restrict__ x,
                                          const __half* __restrict__ y,
                                          float* __restrict__ out) {
  const int i = threadIdx.x;
  const int g = i / 4, t = i % 4;
  unsigned a[4], b[2];
  for (int r = 0; r < 4; ++r) {
    const int row = g + 8 * (r % 2), k = 2 * t + 8 * (r / 2);
    a[r] = pack(x[row * 16 + k], x[row * 16 + k + 1]);
  }
  for (int r = 0; r < 2; ++r) {
    const int k = 2 * t + 8 * r;
    b[r] = pack(y[g * 16 + k], y[g * 16 + k + 1]);
  }
  float c[4] = {0.f, 0.f, 0.f, 0.f};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int r = 0; r < 4; ++r) out[(g + 8 * (r / 2)) * 8 + 2 * t + r % 2] = c[r];
}
