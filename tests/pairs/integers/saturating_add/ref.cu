extern "C" __global__ void saturating_add(const int* __restrict__ a,
                                          const int* __restrict__ b,
                                          int* __restrict__ out) {
  const int i = threadIdx.x;
  long long s = (long long)a[i] + b[i];
  s = s > 2147483647ll ? 2147483647ll : s;
  s = s < -2147483648ll ? -2147483648ll : s;
  out[i] = (int)s;
}
