extern "C" __global__ void heads(const float* x, float* o, int stride) {
  o[blockIdx.x * 8 + threadIdx.x] = x[(long long)blockIdx.x * stride + threadIdx.x];
}
