extern "C" __global__ void prefix_until_zero(const int* __restrict__ x, int* __restrict__ out) {
  int s = 0, k = 0;
#pragma unroll 1
  while (k < 12 && x[k] != 0) s += x[k++];
  out[0] = s;
}
