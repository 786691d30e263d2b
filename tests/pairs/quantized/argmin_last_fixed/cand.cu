extern "C" __global__ void argmin_last(const int* __restrict__ x, int* __restrict__ out) {
  int m = x[15], at = 15;
  for (int k = 14; k >= 0; --k)
    if (x[k] <= m) { m = x[k]; at = k; }
  out[0] = at;
}
