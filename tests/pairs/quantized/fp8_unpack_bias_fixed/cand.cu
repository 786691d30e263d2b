extern "C" __global__ void fp8_unpack_bias(const unsigned char* __restrict__ x,
                                           float* __restrict__ out) {
  const int i = threadIdx.x;
  unsigned u = x[i];
  out[i] = __uint_as_float(((u & 0x80u) << 24) | ((u & 0x7fu) << 20)) * 1.329227995784916e36f;
}
