extern "C" __global__ void drop_seeded(const float* x, float* o) {
  unsigned i = threadIdx.x;
  unsigned seed = (unsigned)((unsigned long long)o >> 8);
  unsigned h = seed * 2654435761u + i * 2246822519u;
  o[i] = h >> 31 ? 2.f * x[i] : 0.f;
}
