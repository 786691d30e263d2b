// F3: log of a sum of splits, all of which may be empty
extern "C" __global__ void candidate(const float* m, const int* count, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f;
  bool any = false;
  for (int i = 3; i >= 0; --i) {
    s += count[i] > 0 ? __expf(m[i]) : 0.0f;
    any = any || count[i] > 0;
  }
  out[0] = any ? __logf(s) : INFINITY;
}
