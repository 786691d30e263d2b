extern "C" __global__ void add32(const int* x, int* o) { o[threadIdx.x] = x[threadIdx.x] + 32; }
