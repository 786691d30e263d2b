extern "C" __global__ void bytes_add(const uchar4* __restrict__ a,
                                     const uchar4* __restrict__ b,
                                     uchar4* __restrict__ out) {
  const int i = threadIdx.x;
  uchar4 x = a[i], y = b[i];
  out[i] = make_uchar4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
