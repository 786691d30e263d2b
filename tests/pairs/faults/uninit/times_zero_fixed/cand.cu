extern "C" __global__ void copy_blend(const float* x, float* o, float w) {
  __shared__ volatile float s[33];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) s[32] = 0.f;
  __syncwarp();
  o[t] = s[t] + w * s[32];
}
