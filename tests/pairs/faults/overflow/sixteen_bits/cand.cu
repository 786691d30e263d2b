extern "C" __global__ void mask16(const float* x, float* o, int first, int n) {
  int i = threadIdx.x;
  if ((unsigned short)(first + i) < n) o[i] = x[i];
}
