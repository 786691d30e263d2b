extern "C" __global__ void carry_chain(const ulonglong2* __restrict__ a,
                                       const ulonglong2* __restrict__ b,
                                       ulonglong2* __restrict__ out) {
  const int i = threadIdx.x;
  ulonglong2 x = a[i], y = b[i], s;
  s.x = x.x + y.x;
  s.y = x.y + y.y + (s.x <= x.x ? 1 : 0);
  out[i] = s;
}
