extern "C" __global__ void pair(const float* x, float* o) { o[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x ^ 8]; }
