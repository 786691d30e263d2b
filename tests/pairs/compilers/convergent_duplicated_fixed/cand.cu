extern "C" __global__ void convergent_duplicated(const int* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = abs(x[i]);
  int s = __reduce_add_sync(0xfu, v);
  if (i == 0) out[0] = s;
}
