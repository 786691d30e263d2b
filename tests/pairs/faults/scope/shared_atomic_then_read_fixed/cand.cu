extern "C" __global__ void positives_shared(const int* x, unsigned* o) {
  __shared__ unsigned c;
  if (threadIdx.x == 0) c = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0) atomicAdd(&c, 1u);
  __syncthreads();
  if (threadIdx.x == 0) o[0] = c;
}
