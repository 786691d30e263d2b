extern "C" __global__ void murmur_final(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned h = x[i];
  h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 15; h *= 0xc2b2ae35u; h ^= h >> 16;
  out[i] = h;
}
