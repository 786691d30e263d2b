extern "C" __global__ void count(unsigned* o) {
  atomicAdd(&o[0], 1u);
  atomicAdd(&o[1], 1u);
}
