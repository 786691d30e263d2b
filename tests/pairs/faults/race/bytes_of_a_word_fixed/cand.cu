extern "C" __global__ void words_shared(const unsigned char* x, unsigned* o) {
  __shared__ unsigned s[17];
  int t = threadIdx.x;
  volatile unsigned char* b = (volatile unsigned char*)s;
  b[t] = x[t];
  __syncthreads();
  if (t < 16) o[t] = s[t];
}
