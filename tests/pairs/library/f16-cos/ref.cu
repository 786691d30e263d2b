#include <cuda_fp16.h>
extern "C" __global__ void k(__half* o, const __half* x) {
  int i = threadIdx.x;
  o[i] = hcos(x[i]);
}
