extern "C" __global__ void relu_add_max(const int* __restrict__ a,
                                        const int* __restrict__ b,
                                        const int* __restrict__ c,
                                        int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = (int)max(max((unsigned)(a[i] + b[i]), (unsigned)c[i]), 0u);
}
