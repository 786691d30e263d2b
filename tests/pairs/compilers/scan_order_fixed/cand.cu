extern "C" __global__ void scan_order(const float* __restrict__ x, float* __restrict__ out) {
  const int i = threadIdx.x;
  float a = x[2 * i], b = x[2 * i + 1];
  for (int d = 1; d < 16; d *= 2) {
    float p = __shfl_up_sync(0xffffu, a, d), q = __shfl_up_sync(0xffffu, b, d);
    if (i >= d) { b = a * q + b; a *= p; }
  }
  out[2 * i] = a; out[2 * i + 1] = b;
}
