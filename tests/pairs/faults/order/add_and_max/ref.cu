extern "C" __global__ void eight(int* o) { o[0] = 8; }
