extern "C" __global__ void mid2(const unsigned* lo, const unsigned* hi, unsigned* o) {
  int i = threadIdx.x;
  o[i] = (lo[i] & hi[i]) + (lo[i] ^ hi[i]) / 2;
}
