// A root as x times its reciprocal root
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  const float a = fabsf(x[t]);
  out[t] = a > 0.0f ? a * rsqrtf(a) : 0.0f;
}
