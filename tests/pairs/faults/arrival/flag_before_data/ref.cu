extern "C" __global__ void f(const float* x, float* o) { o[0] = x[0] + x[1]; }
