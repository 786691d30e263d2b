extern "C" __global__ void f(const float* x, float* o) { o[threadIdx.x] = x[31 - threadIdx.x] + 1.f; }
