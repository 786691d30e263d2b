// Sorting 16 integers: Batcher's odd-even merge against a bitonic network
extern "C" __global__ void candidate(const int* x, int* out) {
  if (threadIdx.x != 0) return;
  int a[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) a[i] = x[i];
#pragma unroll
  for (int p = 1; p < 16; p *= 2) {
#pragma unroll
    for (int k = p; k > 0; k /= 2) {
#pragma unroll
      for (int j = k % p; j + k < 16; j += 2 * k) {
#pragma unroll
        for (int i = 0; i < k; ++i) {
          if (i + j + k < 16 && (i + j) / (2 * p) == (i + j + k) / (2 * p)) {
            const int lo = min(a[i + j], a[i + j + k]), hi = max(a[i + j], a[i + j + k]);
            a[i + j] = lo;
            a[i + j + k] = hi;
          }
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) out[i] = a[i];
}
