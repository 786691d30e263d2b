extern "C" __global__ void leading_zeros(const unsigned* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = __clz(x[i]);
}
