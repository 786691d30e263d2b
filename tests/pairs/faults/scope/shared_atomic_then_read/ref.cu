extern "C" __global__ void positives(const int* x, unsigned* o) {
  unsigned c = 0;
#pragma unroll 1
  for (int j = 0; j < 64; ++j) c += x[j] > 0;
  o[0] = c;
}
