extern "C" __global__ void scale_rows_bcast(const float* x, float* o) {
  __shared__ float scale;
  int t = threadIdx.x;
  for (int r = 0; r < 2; ++r) {
    if (t == 0) scale = x[r * 64];
    __syncthreads();
    o[r * 64 + t] = x[r * 64 + t] * scale;
  }
}
