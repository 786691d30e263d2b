// F21: what a running variance takes in, unbiased or biased
extern "C" __global__ void candidate(const float* x, const float* old, float* out, float momentum) {
  if (threadIdx.x != 0) return;
  float s = 0.0f, q = 0.0f;
  for (int i = 0; i < 16; ++i) {
    s += x[i];
    q += x[i] * x[i];
  }
  const float mean = s / 16.0f;
  const float biased = q / 16.0f - mean * mean;
  out[0] = old[0] + momentum * ((q - s * mean) / 15.0f - old[0]);
}
