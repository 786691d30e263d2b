extern "C" __global__ void shift_shared(const float* x, float* o) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float b = 0.f;
  s[t] = x[t];
  if (t < 64) {
    b = 1.f;
  }
  __syncthreads();
  o[t] = s[(t + 1) % 128] + b;
}
