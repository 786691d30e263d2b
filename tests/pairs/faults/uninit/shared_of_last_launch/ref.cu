extern "C" __global__ void rev(const float* x, float* o) { o[threadIdx.x] = x[31 - threadIdx.x]; }
