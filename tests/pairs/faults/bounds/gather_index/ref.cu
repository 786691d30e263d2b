extern "C" __global__ void embed(const float* table, const int* ids, float* o) {
  int id = ids[blockIdx.x];
  o[blockIdx.x * 8 + threadIdx.x] = id < 0 ? 0.f : table[id * 8 + threadIdx.x];
}
