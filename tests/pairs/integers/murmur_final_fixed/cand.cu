extern "C" __global__ void murmur_final(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned long long h = x[i];
  h = (h ^ (h >> 16)) & 0xffffffffull;
  h = (h * 0x85ebca6bull) & 0xffffffffull;
  h = (h & 0xffffe000ull) ^ (h & 0x1fffull) ^ (h >> 13);
  h = (h * 0xc2b2ae35ull) & 0xffffffffull;
  h ^= h >> 16;
  out[i] = (unsigned)h;
}
