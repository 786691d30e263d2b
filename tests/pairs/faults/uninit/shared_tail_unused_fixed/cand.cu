extern "C" __global__ void sum_tile(const float* x, float* o, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t < n) s[t] = x[t];
  __syncthreads();
  if (t == 0) {
    float a = 0.f;
#pragma unroll 1
    for (int j = 0; j < 32; ++j) a += j < n ? s[j] : 0.f;
    o[0] = a;
  }
}
