__constant__ float w[3];
extern "C" __global__ void fir_c(const float* x, float* o) {
  int i = threadIdx.x;
  o[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2];
}
