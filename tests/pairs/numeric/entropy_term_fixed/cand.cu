// p log p, 0 at 0
extern "C" __global__ void candidate(const float* p, float* out) {
  const int t = threadIdx.x;
  const float q = fmaxf(p[t], 0.0f);
  out[t] = q == 0.0f ? 0.0f : q * (__log2f(q) * 0.69314718f);
}
