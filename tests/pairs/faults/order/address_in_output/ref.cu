extern "C" __global__ void drop(const float* x, float* o) {
  unsigned i = threadIdx.x;
  unsigned h = 42u * 2654435761u + i * 2246822519u;
  o[i] = h >> 31 ? 2.f * x[i] : 0.f;
}
