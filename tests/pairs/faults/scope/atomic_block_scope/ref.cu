extern "C" __global__ void total(const int* x, int* o) {
  int a = 0;
#pragma unroll 1
  for (int j = 0; j < 24; ++j) a += x[j];
  o[0] = a;
}
