// sigmoid as (1 + tanh(x / 2)) / 2
// The argument is not halved.
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = 0.5f + 0.5f * tanhf(x[t]);
}
