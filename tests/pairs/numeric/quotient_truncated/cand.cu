// F14: a quotient by 3 that is cut to an integer
// The literal is less than a third: multiples of 3 fall short.
extern "C" __global__ void candidate(const float* x, int* out) {
  const int t = threadIdx.x;
  out[t] = (int)(x[t] * 0.3333333f);
}
