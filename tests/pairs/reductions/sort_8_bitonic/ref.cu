// Sorting 8: a bitonic network against odd-even transposition
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float a[8];
  for (int i = 0; i < 8; ++i) a[i] = x[i];
#pragma unroll
  for (int k = 2; k <= 8; k *= 2) {
#pragma unroll
    for (int j = k / 2; j > 0; j /= 2) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int l = i ^ j;
        if (l > i) {
          const float lo = min(a[i], a[l]), hi = max(a[i], a[l]);
          a[i] = (i & k) == 0 ? lo : hi;
          a[l] = (i & k) == 0 ? hi : lo;
        }
      }
    }
  }
  for (int i = 0; i < 8; ++i) out[i] = a[i];
}
