// F13: a maximum that propagates NaN or drops it: one over the reals
// Another function below zero.
static __device__ float maxnan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = x[t] >= 0.0f ? x[t] : x[t] * x[t] * 0.1f;
}
