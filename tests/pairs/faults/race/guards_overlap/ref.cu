extern "C" __global__ void pick(const int* x, int* o) {
  o[0] = x[0] > 0 ? 10 : x[0] < 0 ? 20 : 0;
}
