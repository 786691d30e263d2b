extern "C" __global__ void saturating_instruction(const int* __restrict__ a,
                                                  const int* __restrict__ b,
                                                  int* __restrict__ out) {
  const int i = threadIdx.x;
  long long s = (long long)a[i] + b[i];
  s = min(max(s, -2147483648ll), 2147483647ll);
  out[i] = (int)s;
}
