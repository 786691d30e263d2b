extern "C" __global__ void branch_on_data(const float* __restrict__ x,
                                          const int* __restrict__ k,
                                          int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = k[i];
  if (x[i] >= 0.f) { if (v > 10) v = v * 2 - 10; else if (v < -10) v = -v; }
  else { for (int r = 0; r < 3; ++r) v += v & 1 ? 3 : 1; }
  out[i] = v;
}
