// Sorting 32 in a warp: bitonic by shuffles against bitonic in shared memory
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  __shared__ float a[32];
  const int t = threadIdx.x;
  a[t] = x[t];
  __syncwarp();
  for (int k = 2; k <= 32; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      const int l = t ^ j;
      if (l > t) {
        const float v = a[t], w = a[l];
        const bool up = (t & k) == 0;
        if ((v > w) == up) {
          a[t] = w;
          a[l] = v;
        }
      }
      __syncwarp();
    }
  }
  out[t] = a[t];
}
