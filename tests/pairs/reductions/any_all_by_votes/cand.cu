// Is any not zero, are all not zero: a loop against votes of warps
// All of one warp suffice.
extern "C" __global__ void candidate(const int* x, int* out) {
  __shared__ int anys[2], alls[2];
  const int t = threadIdx.x;
  const int any = __any_sync(~0u, x[t]), all = __all_sync(~0u, x[t]);
  if (t % 32 == 0) {
    anys[t / 32] = any;
    alls[t / 32] = all;
  }
  __syncthreads();
  if (t == 0) {
    out[0] = anys[0] | anys[1];
    out[1] = alls[0] | alls[1];
  }
}
