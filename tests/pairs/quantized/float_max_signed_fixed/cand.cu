extern "C" __global__ void float_max_signed(const float* __restrict__ x, int* w) {
  int u = __float_as_int(x[threadIdx.x]);
  atomicMax(w, u ^ ((u >> 31) & 0x7fffffff));
}
extern "C" __global__ void decode(const int* __restrict__ w, float* __restrict__ out) {
  int k = w[0];
  out[0] = __int_as_float(k ^ ((k >> 31) & 0x7fffffff));
}
