extern "C" __global__ void lower_bound(const int* __restrict__ t,
                                       const int* __restrict__ q,
                                       int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = q[i], lo = 0, hi = 16;
#pragma unroll 1
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (t[mid] < v) lo = mid + 1; else hi = mid;
  }
  out[i] = lo;
}
