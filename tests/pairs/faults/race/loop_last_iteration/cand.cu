extern "C" __global__ void f_shared(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float a = 0.f;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    s[t] = x[k * 64 + t];
    __syncthreads();
    a += s[t ^ 32];
    if (k < 3) __syncthreads();
  }
  s[t] = a;
  __syncthreads();
  o[t] = s[t ^ 33];
}
