extern "C" __global__ void lerp_mutation(float* a, const float* __restrict__ b, float* __restrict__ out, float w) {
  const int i = threadIdx.x;
  float v = a[i];
  float m = fmaf(b[i], w, v - v * w);
  a[i] = m;
  out[i] = m + m + b[i];
}
