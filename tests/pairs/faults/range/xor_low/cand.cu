extern "C" __global__ void c(const unsigned* x, unsigned* o) { int t = threadIdx.x; o[t] = (x[t] << 1) ^ (x[t] >> 16); }
