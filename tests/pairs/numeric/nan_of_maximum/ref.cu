// F13: a maximum that propagates NaN or drops it: one over the reals
// The reference.
static __device__ float maxnan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
extern "C" __global__ void reference(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = maxnan(maxnan(x[t], 0.0f), 0.1f * x[t]);
}
