extern "C" __global__ void lower_bound(const int* __restrict__ t,
                                       const int* __restrict__ q,
                                       int* __restrict__ out) {
  const int i = threadIdx.x;
  int v = q[i], lo = 0;
  for (int step = 8; step > 0; step >>= 1)
    if (t[lo + step - 1] < v) lo += step;
  out[i] = lo;
}
