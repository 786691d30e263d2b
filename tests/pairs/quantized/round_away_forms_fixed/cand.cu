extern "C" __global__ void round_away_forms(const float* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  float v = x[i];
  int m = (int)floorf(fabsf(v) + 0.5f);
  out[i] = v < 0.f ? -m : m;
}
