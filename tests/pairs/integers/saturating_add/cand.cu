extern "C" __global__ void saturating_add(const int* __restrict__ a,
                                          const int* __restrict__ b,
                                          int* __restrict__ out) {
  const int i = threadIdx.x;
  int x = a[i], y = b[i];
  int s = (int)((unsigned)x + (unsigned)y);
  if (x >= 0 && y >= 0 && s < 0) s = 0x7fffffff;
  out[i] = s;
}
