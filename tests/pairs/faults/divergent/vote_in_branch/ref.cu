extern "C" __global__ void cnt(const int* x, unsigned* o) {
  unsigned c = 0;
#pragma unroll 1
  for (int j = 0; j < 32; ++j) c += x[j] > 0;
  o[threadIdx.x] = x[threadIdx.x] > 0 ? c : 0;
}
