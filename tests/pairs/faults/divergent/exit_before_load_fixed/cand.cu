extern "C" __global__ void dot_table_shared(const float* x, const float* w, float* o, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = w[t];
  __syncthreads();
  if (t >= n) return;
  float a = 0.f;
#pragma unroll 1
  for (int j = 0; j < 64; ++j) a += s[j];
  o[t] = x[t] * a;
}
