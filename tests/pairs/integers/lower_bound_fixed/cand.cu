extern "C" __global__ void lower_bound(const int* __restrict__ t,
                                       const int* __restrict__ q,
                                       int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = q[i], lo = 0, hi = 16;
  for (int k = 0; k < 5; ++k) {
    int mid = (lo + hi) >> 1;
    bool go = lo < hi && t[min(mid, 15)] < v;
    hi = lo < hi ? (go ? hi : mid) : hi;
    lo = go ? mid + 1 : lo;
  }
  out[i] = lo;
}
