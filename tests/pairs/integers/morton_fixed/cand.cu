__device__ unsigned spread(unsigned v) {
  v = (v | (v << 8)) & 0x00ff00ffu; v = (v | (v << 4)) & 0x0f0f0f0fu;
  v = (v | (v << 2)) & 0x33333333u; v = (v | (v << 1)) & 0x55555555u;
  return v;
}
extern "C" __global__ void morton(const unsigned* __restrict__ x,
                                  const unsigned* __restrict__ y,
                                  unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = spread(x[i]) | (spread(y[i]) << 1);
}
