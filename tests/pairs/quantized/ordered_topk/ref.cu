extern "C" __global__ void ordered_topk(const float* __restrict__ x, int* __restrict__ out) {
  float m = x[0];
  int at = 0;
  for (int k = 1; k < 8; ++k)
    if (x[k] > m) { m = x[k]; at = k; }
  out[0] = at;
}
