// F10: GELU by erf, or by tanh
// The approximation by tanh is another function.
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = 0.5f * x[t] * (1.0f + tanhf(0.7978845608f * (x[t] + 0.044715f * x[t] * x[t] * x[t])));
}
