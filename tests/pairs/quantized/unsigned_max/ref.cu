extern "C" __global__ void unsigned_max(const unsigned* __restrict__ a,
                                        const unsigned* __restrict__ b,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = max(a[i], b[i]);
}
