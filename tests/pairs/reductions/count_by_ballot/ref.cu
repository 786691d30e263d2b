// How many of 128 exceed a threshold: a loop against ballots and popc
// The reference.
extern "C" __global__ void reference(const float* x, int* out, float limit) {
  if (threadIdx.x != 0) return;
  int n = 0;
  for (int i = 0; i < 128; ++i) n += x[i] > limit ? 1 : 0;
  out[0] = n;
}
