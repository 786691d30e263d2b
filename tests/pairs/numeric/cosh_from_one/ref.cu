// tanh from one exponential or two
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  const int t = threadIdx.x;
  const float a = __expf(x[t]), b = __expf(-x[t]);
  out[t] = (a - b) / (a + b);
}
