extern "C" __global__ void sort_three(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int j = 3 * i, a = x[j], b = x[j + 1], c = x[j + 2], t;
  if (a > b) { t = a; a = b; b = t; }
  if (b > c) { t = b; b = c; c = t; }
  if (a > b) { t = a; a = b; b = t; }
  out[j] = a; out[j + 1] = b; out[j + 2] = c;
}
