// Cross entropy with a label as index: log softmax, or log of softmax
// The reference.
extern "C" __global__ void reference(const float* x, const int* label, float* out) {
  if (threadIdx.x != 0) return;
  float m = x[0];
  for (int i = 1; i < 8; ++i) m = fmaxf(m, x[i]);
  float s = 0.0f;
  for (int i = 0; i < 8; ++i) s += __expf(x[i] - m);
  out[0] = __logf(s) + m - x[label[0]];
}
