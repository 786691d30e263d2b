extern "C" __global__ void relu_next_shared(const float* x, float* o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float v = x[t], r = 0.f;
  s[t] = v;
  __syncthreads();
  if (v > 0.f) {
    r = v + s[t ^ 32];
  }
  o[t] = r;
}
