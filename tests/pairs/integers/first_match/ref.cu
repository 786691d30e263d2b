extern "C" __global__ void first_match(const int* __restrict__ x,
                                       const int* __restrict__ q,
                                       int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = q[i], at = -1;
#pragma unroll 1
  for (int k = 0; k < 16; ++k)
    if (x[k] == v) { at = k; break; }
  out[i] = at;
}
