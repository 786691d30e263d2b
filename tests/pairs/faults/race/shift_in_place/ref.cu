extern "C" __global__ void shift_serial(float* x) {
  for (int i = 64; i > 0; --i) x[i] = x[i - 1] + 1.f;
}
