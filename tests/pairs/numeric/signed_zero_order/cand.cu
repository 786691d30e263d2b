// F16: the order of floats by their bits tells -0 from +0
// {-0, +0}: equal as numbers, ordered as bits.
__device__ int key(float x) {
  const int b = __float_as_int(x);
  return b ^ ((b >> 31) & 0x7fffffff);
}
extern "C" __global__ void candidate(const float* x, int* out) {
  if (threadIdx.x == 0) out[0] = key(x[1]) > key(x[0]) ? 1 : 0;
}
