extern "C" __global__ void f(const int* x, int* o) { o[0] = x[3]; }
