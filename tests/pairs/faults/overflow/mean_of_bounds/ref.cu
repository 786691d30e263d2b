extern "C" __global__ void mid(const unsigned* lo, const unsigned* hi, unsigned* o) {
  int i = threadIdx.x;
  o[i] = (unsigned)(((unsigned long long)lo[i] + hi[i]) / 2);
}
