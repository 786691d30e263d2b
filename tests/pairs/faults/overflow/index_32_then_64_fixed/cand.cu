extern "C" __global__ void pick32(const unsigned char* x, unsigned char* o, unsigned chunk) {
  unsigned long long i = (unsigned long long)chunk * blockIdx.x + threadIdx.x;
  o[blockIdx.x * 4 + threadIdx.x] = x[i];
}
