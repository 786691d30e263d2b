extern "C" __global__ void remainder_power(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = x[i], q;
  int bias = (v >> 31) & 15;
  q = ((v + bias) & 15) - bias;
  out[i] = q;
}
