extern "C" __global__ void remainder_power(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = x[i], q;
  q = v & 15;
  out[i] = q;
}
