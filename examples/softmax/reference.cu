// Softmax of each row in three passes: maximum, sum of exponentials, division. One CTA a row.
extern "C" __global__ void softmax_passes(const float* x, float* y, int columns) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float v = t < columns ? row[t] : -INFINITY;
  s[t] = v;
  __syncthreads();
  for (int w = 64; w > 0; w >>= 1) {
    if (t < w) s[t] = fmaxf(s[t], s[t + w]);
    __syncthreads();
  }
  float m = s[0];
  __syncthreads();
  float e = t < columns ? expf(v - m) : 0.0f;
  s[t] = e;
  __syncthreads();
  for (int w = 64; w > 0; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t < columns) y[blockIdx.x * columns + t] = e / s[0];
}
