extern "C" __global__ void pick2(const int* x, int* o) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  if (threadIdx.x == 32 && x[0] > 0) s = 10;
  if (threadIdx.x == 64 && x[1] < 0) s = 20;
  __syncthreads();
  if (threadIdx.x == 0) o[0] = s;
}
