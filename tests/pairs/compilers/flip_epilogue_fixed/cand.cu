extern "C" __global__ void flip_epilogue(const float* __restrict__ x, const int* __restrict__ ids, float* __restrict__ out) {
  const int i = threadIdx.x;
  out[31 - i] = x[i] + (float)ids[31 - i];
}
