// tanh from one exponential or two
// The argument is not doubled.
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = 1.0f - 2.0f / (__expf(x[t]) + 1.0f);
}
