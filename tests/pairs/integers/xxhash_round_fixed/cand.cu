extern "C" __global__ void xxhash_round(const unsigned* __restrict__ x,
                                        unsigned* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned h = 374761393u + 16;
  uint4 v = reinterpret_cast<const uint4*>(x)[i];
  h += v.x * 3266489917u; h = __funnelshift_l(h, h, 17) * 668265263u;
  h += v.y * 3266489917u; h = __funnelshift_l(h, h, 17) * 668265263u;
  h += v.z * 3266489917u; h = __funnelshift_r(h, h, 15) * 668265263u;
  h += v.w * 3266489917u; h = ((h << 17) + (h >> 15)) * 668265263u;
  h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; h *= 3266489917u; h ^= h >> 16;
  out[i] = h;
}
