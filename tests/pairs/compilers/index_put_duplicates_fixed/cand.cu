extern "C" __global__ void index_put(const float* __restrict__ v, const int* __restrict__ ids, float* out) {
  const int i = threadIdx.x;
  if (i < 4) {
  int at = -1;
  for (int k = 0; k < 8; ++k) at = ids[k] == i ? k : at;
  if (at >= 0) out[i] = v[at];
}
}
