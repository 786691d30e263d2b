// Scale by the greatest magnitude: max of |x| against max(max x, -min x)
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float his[64], los[64];
  const int t = threadIdx.x;
  his[t] = los[t] = x[t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      his[t] = fmaxf(his[t], his[t + d]);
      los[t] = fminf(los[t], los[t + d]);
    }
    __syncthreads();
  }
  out[t] = fmaxf(his[0], -los[0]) / 127.0f;
}
