extern "C" __global__ void divide_s64(const long long* __restrict__ x,
                                      long long* __restrict__ out) {
  const int i = threadIdx.x;
  long long v = x[i], q;
  asm("div.s64 %0, %1, 1000;" : "=l"(q) : "l"(v));
  out[i] = q;
}
