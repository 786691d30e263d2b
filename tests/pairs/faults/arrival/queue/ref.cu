extern "C" __global__ void f(const int* x, int* o) { o[threadIdx.x] = 3 * x[threadIdx.x]; }
