// A root as x times its reciprocal root
// Undefined at 0.
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  const float a = fabsf(x[t]);
  out[t] = a * rsqrtf(a);
}
