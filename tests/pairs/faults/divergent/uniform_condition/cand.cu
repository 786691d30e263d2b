extern "C" __global__ void maybe_shared(const float* x, const int* go, float* o, int flag) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float v = x[t];
  if (flag) {
    s[t] = v;
    __syncthreads();
    v = s[t ^ 32];
    __syncthreads();
  }
  if (go[0] > 0) {
    s[t] = x[t];
    __syncthreads();
    v += s[63 - t];
  }
  o[t] = v;
}
