// First of 64 that is negative: a loop with an early exit against ballots
// Places of the second warp are one too high.
extern "C" __global__ void candidate(const float* x, int* out) {
  __shared__ unsigned votes[2];
  const int t = threadIdx.x;
  const unsigned v = __ballot_sync(~0u, x[t] < 0.0f);
  if (t % 32 == 0) votes[t / 32] = v;
  __syncthreads();
  if (t == 0) out[0] = votes[0] != 0 ? __ffs(votes[0]) - 1 : votes[1] != 0 ? __ffs(votes[1]) + 32 : -1;
}
