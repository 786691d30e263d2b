extern "C" __global__ void convergent_duplicated(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = x[i];
  int s = v > 0 ? v : -v;
  for (int d = 2; d > 0; d /= 2) s += __shfl_xor_sync(0xfu, s, d);
  if (i == 0) out[0] = s;
}
