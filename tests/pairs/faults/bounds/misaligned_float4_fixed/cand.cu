extern "C" __global__ void heads4(const float* x, float* o, int ld) {
  float2 a = *reinterpret_cast<const float2*>(x + blockIdx.x * ld);
  float2 b = *reinterpret_cast<const float2*>(x + blockIdx.x * ld + 2);
  float4 v = make_float4(a.x, a.y, b.x, b.y);
  *reinterpret_cast<float4*>(o + blockIdx.x * 4) = v;
}
