extern "C" __global__ void shl_shared(const float* x, float* o) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  if (t < 31) {
    float v = s[t + 1];
    s[t] = v;
  }
  __syncwarp();
  if (t < 31) o[t] = s[t];
}
