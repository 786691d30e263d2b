// Sorting 16: insertion against a bitonic network
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float a[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    a[i] = x[i];
#pragma unroll
    for (int j = i; j > 0; --j) {
      if (a[j - 1] > a[j]) {
        const float v = a[j];
        a[j] = a[j - 1];
        a[j - 1] = v;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) out[i] = a[i];
}
