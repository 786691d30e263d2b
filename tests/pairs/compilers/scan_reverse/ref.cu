extern "C" __global__ void scan_reverse(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int s = 0;
  for (int k = 31; k >= i; --k) s += x[k];
  out[i] = s;
}
