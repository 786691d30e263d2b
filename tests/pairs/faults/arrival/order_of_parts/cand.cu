extern "C" __global__ void own_first(const float* x, float* part, unsigned* count, float* o) {
  float a = 0.f;
  for (int j = 0; j < 32; ++j) a += x[blockIdx.x * 32 + j];
  part[blockIdx.x] = a;
  __threadfence();
  unsigned ticket = atomicAdd(count, 1u);
  __threadfence();
  if (ticket == 1) o[0] = a + part[1 - blockIdx.x];
}
