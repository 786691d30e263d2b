extern "C" __global__ void mirror_mid(const float* x, float* mid, float* o) {
  int t = threadIdx.x;
  mid[t] = 2.f * x[t];
  __syncthreads();
  o[t] = mid[63 - t];
}
