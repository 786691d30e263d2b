extern "C" __global__ void round_away_forms(const float* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = (int)floorf(x[i] + 0.5f);
}
