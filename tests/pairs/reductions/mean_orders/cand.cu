// Mean of 96: a loop and one division against means of three parts
// Each part is divided by 16.
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float parts[3];
  const int t = threadIdx.x;
  float v = x[t] * 0.0625f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) parts[t / 32] = v;
  __syncthreads();
  if (t == 0) out[0] = (parts[0] + parts[1] + parts[2]) / 3.0f;
}
