extern "C" __global__ void split_k(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out) {
  const int i = threadIdx.x;
  float s = 0.f;
  for (int k = 0; k < 16; ++k) s += x[k] * y[k * 8 + i];
  out[i] = s;
}
