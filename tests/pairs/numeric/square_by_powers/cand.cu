// F15: a square by exponential and logarithm
// The logarithm of a negative number.
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = exp2f(2.0f * __log2f(x[t]));
}
