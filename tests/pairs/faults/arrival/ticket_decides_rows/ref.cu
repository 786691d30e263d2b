extern "C" __global__ void f(const int* x, int* o) { o[threadIdx.x] = x[threadIdx.x] + (int)threadIdx.x; }
