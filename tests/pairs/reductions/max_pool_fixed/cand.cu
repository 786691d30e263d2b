// Maxima of windows of 3 by 3: rows, then columns, against all nine
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float rows[6][6];
  const int c = threadIdx.x % 6, r = threadIdx.x / 6;
  if (r < 6) {
    const float* p = x + r * 8 + c;
    rows[r][c] = fmaxf(fmaxf(p[0], p[1]), p[2]);
  }
  __syncthreads();
  if (r < 4) out[r * 6 + c] = fmaxf(fmaxf(rows[r][c], rows[r + 1][c]), rows[r + 2][c]);
}
