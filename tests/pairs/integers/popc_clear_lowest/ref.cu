extern "C" __global__ void popc_clear_lowest(const unsigned* __restrict__ x,
                                             int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = __popc(x[i]);
}
