extern "C" __global__ void f(const int* x, int* o) {
  int t = threadIdx.x, a = 0;
  for (int k = 0; k < 3; ++k) a += x[k * 64 + (t ^ 32)];
  o[t] = a;
}
