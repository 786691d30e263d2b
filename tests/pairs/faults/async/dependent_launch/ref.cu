extern "C" __global__ void rev(const float* x, float* o) { o[threadIdx.x] = 2.f * x[31 - threadIdx.x]; }
