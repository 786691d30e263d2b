extern "C" __global__ void k(double* o, const double* x) {
  int i = threadIdx.x;
  o[i] = log10(x[i]);
}
