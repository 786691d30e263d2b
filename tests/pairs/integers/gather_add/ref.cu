extern "C" __global__ void gather_add(const int* __restrict__ t,
                                      const int* __restrict__ ids,
                                      int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = t[ids[2 * i]] + t[ids[2 * i + 1]];
}
