extern "C" __global__ void scan_reverse(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = x[i];
  for (int d = 1; d < 32; d *= 2) {
    int o = __shfl_down_sync(0xffffffffu, v, d);
    if (i >= d) v += o;
  }
  out[i] = v;
}
