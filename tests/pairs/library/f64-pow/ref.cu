extern "C" __global__ void k(double* o, const double* x, const double* y) {
  int i = threadIdx.x;
  o[i] = pow(x[i], y[i]);
}
