extern "C" __global__ void spread(const float* x, float* o, int stride) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 16; ++i) o[i * stride] = x[i];
}
