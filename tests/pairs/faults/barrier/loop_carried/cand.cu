extern "C" __global__ void sums_loop(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    s[t] = x[k * 64 + t];
    __syncthreads();
    if (t == 0) {
      float a = 0.f;
#pragma unroll 1
      for (int j = 0; j < 64; ++j) a += s[j];
      o[k] = a;
    }
  }
}
