extern "C" __global__ void f_generic(const float* x, float* o, int odd) {
  __shared__ float a[32], b[32];
  int t = threadIdx.x;
  float* p = (t < 32) != (odd & 1) ? a : b;
  *(volatile float*)&p[t & 31] = 2.f * x[t];
  __syncwarp();
  o[t] = p[t & 31];
}
