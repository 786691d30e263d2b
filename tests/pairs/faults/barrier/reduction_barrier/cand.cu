extern "C" __global__ void f_or(const int* x, int* o) {
  __shared__ int s[64];
  int t = threadIdx.x, a = 0;
#pragma unroll 1
  for (int k = 0; k < 3; ++k) {
    s[t] = x[k * 64 + t];
    if (!__syncthreads_or(t == 63)) a = -1;
    a += s[t ^ 32];
  }
  o[t] = a;
}
