extern "C" __global__ void halve_vector(const float* x, float* o) {
  int i = threadIdx.x;
  if (((unsigned long long)x & 511) == 0) {
    float2 v = ((const float2*)x)[i];
    o[2 * i] = 0.5f * v.x;
    o[2 * i + 1] = 0.5f * v.y;
  } else {
    o[2 * i] = 0.5f * x[2 * i];
    o[2 * i + 1] = 0.5f * x[2 * i + 1];
  }
}
