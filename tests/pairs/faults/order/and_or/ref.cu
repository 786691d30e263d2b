extern "C" __global__ void bits(unsigned* o) { o[0] = 0xf1; }
