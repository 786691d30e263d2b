extern "C" __global__ void sq(const int* x, int* o) { o[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
