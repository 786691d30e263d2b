extern "C" __global__ void float_max_atomics(const float* __restrict__ x, unsigned* w) {
  atomicMax(w, __float_as_uint(x[threadIdx.x]));
}
extern "C" __global__ void decode(const unsigned* __restrict__ w, float* __restrict__ out) {
  out[0] = __uint_as_float(w[0]);
}
