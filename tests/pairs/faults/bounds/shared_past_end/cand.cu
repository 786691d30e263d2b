extern "C" __global__ void blur_shared(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  if (t == 0) s[0] = 0.f;
  if (t == 63) s[t + 2] = 0.f;
  __syncthreads();
  o[t] = s[t] + s[t + 1] + s[t + 2];
}
