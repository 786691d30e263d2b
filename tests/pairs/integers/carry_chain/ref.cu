extern "C" __global__ void carry_chain(const ulonglong2* __restrict__ a,
                                       const ulonglong2* __restrict__ b,
                                       ulonglong2* __restrict__ out) {
  const int i = threadIdx.x;
  ulonglong2 x = a[i], y = b[i], s;
  asm("add.cc.u64 %0, %2, %4;\n\taddc.u64 %1, %3, %5;" : "=l"(s.x), "=l"(s.y)
      : "l"(x.x), "l"(x.y), "l"(y.x), "l"(y.y));
  out[i] = s;
}
