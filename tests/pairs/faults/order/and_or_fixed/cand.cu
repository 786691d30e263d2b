extern "C" __global__ void bits_atomic(unsigned* o) {
  if (blockIdx.x == 0) atomicAnd(o, 0xf1u); else atomicOr(o, 1u);
}
