extern "C" __global__ void r(const unsigned* x, unsigned* o) { int t = threadIdx.x; o[t] = x[t] * 2; }
