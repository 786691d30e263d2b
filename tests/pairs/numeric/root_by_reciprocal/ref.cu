// A root as x times its reciprocal root
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  const int t = threadIdx.x;
  out[t] = sqrtf(fabsf(x[t]));
}
