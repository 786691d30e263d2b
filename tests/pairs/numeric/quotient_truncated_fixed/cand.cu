// F14: a quotient by 3 that is cut to an integer
extern "C" __global__ void candidate(const float* x, int* out) {
  const int t = threadIdx.x;
  out[t] = (int)__fdividef(x[t], 3.0f);
}
