extern "C" __global__ void relu_add_max(const int* __restrict__ a,
                                        const int* __restrict__ b,
                                        const int* __restrict__ c,
                                        int* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = max(max(a[i] + b[i], c[i]), 0);
}
