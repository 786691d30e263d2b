extern "C" __global__ void f(const float* x, float* o) { o[threadIdx.x] = x[threadIdx.x ^ 32]; }
