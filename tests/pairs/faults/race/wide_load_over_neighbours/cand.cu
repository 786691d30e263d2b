extern "C" __global__ void f_vec(const float* x, float* o) {
  __shared__ float4 s4[16];
  float* s = (float*)s4;
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  if (t < 16) {
    float4 v = s4[t];
    o[t] = v.x + v.y + v.z + v.w;
  }
}
