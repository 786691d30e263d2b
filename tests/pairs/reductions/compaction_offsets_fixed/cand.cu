// Where each kept element goes: counts of flags before it, by ballots
extern "C" __global__ void candidate(const float* x, int* out) {
  __shared__ int first;
  const int t = threadIdx.x;
  const unsigned votes = __ballot_sync(~0u, x[t] != 0.0f);
  if (t == 0) first = __popc(votes);
  __syncthreads();
  out[t] = __popc(votes & ((1u << (t % 32)) - 1)) + (t < 32 ? 0 : first);
}
