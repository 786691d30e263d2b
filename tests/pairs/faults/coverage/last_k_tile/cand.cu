extern "C" __global__ void mm_tiled(const float* a, const float* b, float* c, int K) {
  __shared__ float sa[4][4], sb[4][4];
  int i = threadIdx.y, j = threadIdx.x;
  float s = 0.f;
  int tiles = K / 4;
  for (int t = 0; t < tiles; ++t) {
    int ka = t * 4 + j, kb = t * 4 + i;
    sa[i][j] = ka < K ? a[i * K + ka] : 0.f;
    sb[i][j] = kb < K ? b[kb * 4 + j] : 0.f;
    __syncthreads();
    for (int k = 0; k < 4; ++k) s += sa[i][k] * sb[k][j];
    __syncthreads();
  }
  c[i * 4 + j] = s;
}
