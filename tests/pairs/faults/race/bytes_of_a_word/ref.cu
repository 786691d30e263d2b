extern "C" __global__ void words(const unsigned char* x, unsigned* o) {
  int t = threadIdx.x;
  o[t] = x[4 * t] | x[4 * t + 1] << 8 | x[4 * t + 2] << 16 | (unsigned)x[4 * t + 3] << 24;
}
