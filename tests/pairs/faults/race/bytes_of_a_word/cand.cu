extern "C" __global__ void words_shared(const unsigned char* x, unsigned* o) {
  __shared__ unsigned s[17];
  int t = threadIdx.x;
  volatile unsigned char* b = (volatile unsigned char*)s;
  if (t % 2 == 0) *(unsigned short*)(b + t) = x[t] | 0x100;
  else b[t] = x[t];
  __syncthreads();
  if (t < 16) o[t] = s[t];
}
