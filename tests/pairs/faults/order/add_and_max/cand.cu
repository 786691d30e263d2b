extern "C" __global__ void mixed(int* o) {
  if (blockIdx.x == 0) atomicAdd(o, 3); else atomicMax(o, 5);
}
