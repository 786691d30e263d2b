extern "C" __global__ void xxhash_round(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned h = 374761393u + 16;
  for (int k = 0; k < 4; ++k) { h += x[4 * i + k] * 3266489917u; h = ((h << 17) | (h >> 15)) * 668265263u; }
  h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; h *= 3266489917u; h ^= h >> 16;
  out[i] = h;
}
