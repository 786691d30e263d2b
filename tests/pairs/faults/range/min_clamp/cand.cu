extern "C" __global__ void c(const int* x, int* o) { int t = threadIdx.x; o[t] = min(max(x[t], 0), 9); }
