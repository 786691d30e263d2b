// GELU by tanh, as x sigmoid(2u)
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  const float u = 0.7978845608f * (x[t] + 0.044715f * x[t] * x[t] * x[t]);
  out[t] = x[t] / (1.0f + expf(-2.0f * u));
}
