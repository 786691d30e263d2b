extern "C" __global__ void col_sums_staged(const float* x, float* o, int flag) {
  __shared__ float s[8][64];
  int t = threadIdx.x;
  for (int r = 0; r < 8; ++r) s[r][t] = x[r * 64 + t];
  __syncthreads();
  float a = 0.f;
  for (int r = 0; r < 8; ++r) a += s[r][63 - t];
  if (flag) __syncthreads();
  s[0][t] = a;
  __syncthreads();
  o[t] = s[0][t];
}
