extern "C" __global__ void first(const int* x, int* o) { o[0] = x[0]; }
