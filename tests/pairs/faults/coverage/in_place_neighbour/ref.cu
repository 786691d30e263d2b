extern "C" __global__ void pull(const float* x, float* o) {
  int i = threadIdx.x;
  float v = x[(i + 1) & 63];
  __syncthreads();
  o[i] = v + 1.f;
}
