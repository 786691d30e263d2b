extern "C" __global__ void any_negative(const int* x, int* o) {
  int f = 0;
#pragma unroll 1
  for (int j = 0; j < 64; ++j) f |= x[j] < 0;
  o[0] = f;
}
