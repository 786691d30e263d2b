extern "C" __global__ void saturating_instruction(const int* __restrict__ a,
                                                  const int* __restrict__ b,
                                                  int* __restrict__ out) {
  const int i = threadIdx.x;
  int s;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(a[i]), "r"(b[i]));
  out[i] = s;
}
