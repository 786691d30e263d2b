// F16: the order of floats by their bits tells -0 from +0
__device__ int key(float x) {
  const int b = __float_as_int(x);
  return b ^ ((b >> 31) & 0x7fffffff);
}
extern "C" __global__ void candidate(const float* x, int* out) {
  const float a = x[0] == 0.0f ? 0.0f : x[0], b = x[1] == 0.0f ? 0.0f : x[1];
  if (threadIdx.x == 0) out[0] = key(b) > key(a) ? 1 : 0;
}
