extern "C" __global__ void branch_on_data(const float* __restrict__ x,
                                          const int* __restrict__ k,
                                          int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = k[i], b = v;
  int a = v > 10 ? v + v - 10 : (v < -10 ? 0 - v : v);
  for (int r = 0; r < 3; ++r) b += 1 + ((b & 1) << 1);
  out[i] = x[i] < 0.f ? b : a;
}
