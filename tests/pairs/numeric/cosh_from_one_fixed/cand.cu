// tanh from one exponential or two
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = 1.0f - 2.0f / (__expf(2.0f * x[t]) + 1.0f);
}
