extern "C" __global__ void f2(const float* x, float* o, int n) {
  int t = threadIdx.x;
  if ((t | 1) < n || t >= n) o[t] = t < n ? x[t] : 0.f;
}
