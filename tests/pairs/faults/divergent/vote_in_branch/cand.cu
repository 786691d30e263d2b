extern "C" __global__ void cnt_ballot(const int* x, unsigned* o) {
  int v = x[threadIdx.x];
  unsigned r = 0;
  if (v > 0) r = __popc(__ballot_sync(0xffffffffu, v > 0));
  o[threadIdx.x] = r;
}
