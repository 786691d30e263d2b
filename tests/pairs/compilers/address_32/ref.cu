extern "C" __global__ void address_32(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = x[i];
}
