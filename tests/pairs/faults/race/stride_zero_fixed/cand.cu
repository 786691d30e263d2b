extern "C" __global__ void spread16(const float* x, float* o, int stride) {
  if (stride != 0) o[threadIdx.x * stride] = x[threadIdx.x];
  else if (threadIdx.x == 15) o[0] = x[15];
}
