extern "C" __global__ void scatter_add(const float* v, const int* ids, float* o) {
  int i = blockIdx.x * 20 + threadIdx.x;
  o[ids[i]] += v[i];
}
