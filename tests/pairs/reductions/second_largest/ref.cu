// The two greatest of 64, by insertion against a tree of merges
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float a = -INFINITY, b = -INFINITY;
  for (int i = 0; i < 64; ++i) {
    const float v = x[i];
    if (v > a) {
      b = a;
      a = v;
    } else if (v > b) {
      b = v;
    }
  }
  out[0] = a;
  out[1] = b;
}
