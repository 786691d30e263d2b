extern "C" __global__ void gather_rows(const float* __restrict__ t,
                                       const int* __restrict__ ids,
                                       float* __restrict__ out) {
  int r = threadIdx.x / 4, c = threadIdx.x % 4;
  out[threadIdx.x] = t[4 * ids[r] + c];
}
