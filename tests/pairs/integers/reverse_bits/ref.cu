extern "C" __global__ void reverse_bits(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = __brev(x[i]);
}
