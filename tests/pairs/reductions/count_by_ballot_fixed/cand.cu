// How many of 128 exceed a threshold: a loop against ballots and popc
extern "C" __global__ void candidate(const float* x, int* out, float limit) {
  __shared__ int parts[4];
  const int t = threadIdx.x;
  const unsigned votes = __ballot_sync(~0u, x[t] > limit);
  if (t % 32 == 0) parts[t / 32] = __popc(votes);
  __syncthreads();
  if (t == 0) out[0] = parts[0] + parts[1] + parts[2] + parts[3];
}
