extern "C" __global__ void c(const unsigned* x, unsigned* o) { int t = threadIdx.x; o[t] = (x[t]==0?0:x[t]==1?7:x[t]==2?14:x[t]==3?21:28); }
