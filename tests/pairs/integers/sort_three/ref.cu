extern "C" __global__ void sort_three(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int j = 3 * i, a = x[j], b = x[j + 1], c = x[j + 2];
  out[j] = min(a, min(b, c)); out[j + 2] = max(a, max(b, c));
  out[j + 1] = max(min(a, b), min(max(a, b), c));
}
