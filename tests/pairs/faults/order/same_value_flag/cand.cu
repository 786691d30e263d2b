extern "C" __global__ void raise_flag(const int* x, int* o) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (x[i] < 0) o[0] = i | 1;
}
