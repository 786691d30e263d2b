extern "C" __global__ void cross_shared(const float* x, float* o) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
  o[t] = s[t ^ 16];
}
