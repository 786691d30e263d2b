extern "C" __global__ void c(const unsigned* x, unsigned* o) { int t = threadIdx.x; o[t] = __popc(x[t] & 255); }
