extern "C" __global__ void masked2(float* p, float* o) {
  int t = threadIdx.x, b = blockIdx.x;
  float old = p[b];
  __syncthreads();
  if (t == b) p[b] = 0.f;
  __syncthreads();
  o[b * 32 + t] = p[t];
  __syncthreads();
  if (t == b) p[b] = old;
}
