extern "C" __global__ void dot_int4(const unsigned* __restrict__ a,
                                    const unsigned* __restrict__ b,
                                    int* __restrict__ out) {
  const int i = threadIdx.x;
  int s = 0;
  for (int w = 0; w < 2; ++w) {
    unsigned x = a[2 * i + w], y = b[2 * i + w];
    unsigned xl = x & 0x0f0f0f0fu, yl = y & 0x0f0f0f0fu;
    unsigned xh = (x >> 4) & 0x0f0f0f0fu, yh = (y >> 4) & 0x0f0f0f0fu;
    xl |= (xl & 0x08080808u) * 30; yl |= (yl & 0x08080808u) * 30;
    xh |= (xh & 0x08080808u) * 30; yh |= (yh & 0x08080808u) * 30;
    s = __dp4a((int)xl, (int)yl, s);
    s = __dp4a((int)xh, (int)yh, s);
  }
  out[i] = s;
}
