extern "C" __global__ void popc_swar(const unsigned* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned v = x[i];
  v = v - ((v >> 1) & 0x55555555u);
  v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f1fu;
  out[i] = (v * 0x01010101u) >> 24;
}
