extern "C" __global__ void lerp_mutation(float* a, const float* __restrict__ b, float* __restrict__ out, float w) {
  const int i = threadIdx.x;
  float v = a[i];
  a[i] = v + w * (b[i] - v);
  out[i] = v * 2.f + b[i];
}
