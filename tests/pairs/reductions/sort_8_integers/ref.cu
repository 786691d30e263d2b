// Sorting 8 integers: selection against a bitonic network
// The reference.
extern "C" __global__ void reference(const int* x, int* out) {
  if (threadIdx.x != 0) return;
  int a[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i] = x[i];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = i + 1; j < 8; ++j) {
      if (a[j] < a[i]) {
        const int v = a[j];
        a[j] = a[i];
        a[i] = v;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) out[i] = a[i];
}
