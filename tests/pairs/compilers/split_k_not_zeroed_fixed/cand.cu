extern "C" __global__ void split_k(const float* __restrict__ x, const float* __restrict__ y, float* out) {
  const int i = threadIdx.x;
  const int k0 = 4 * blockIdx.x;
  float s = 0.f;
  for (int k = k0; k < k0 + 4; ++k) s += x[k] * y[k * 8 + i];
  atomicAdd(out + i, s);
}
