// A libcublas for tests, on the emulated GPU: sums in the order of their summands. With
// RLC_FAKE_GPU's fail=cublas:STATUS products fail.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

void rlcFakeEnqueue(void* stream, void (*work)(void*), void* data);  // fake_driver.cpp

namespace {

constexpr int kF64 = 1, kBf16 = 14, kComputeF32 = 68, kComputeF64 = 70, kComputeTf32 = 77;

struct Handle {
  void* stream = nullptr;
};

struct Matrix {
  const void* const* place;
  int type;
  bool transposed;
  int leading;

  double at(int row, int column) const {
    const size_t index = transposed ? static_cast<size_t>(row) * leading + column
                                    : static_cast<size_t>(column) * leading + row;
    if (type == kF64) return static_cast<const double*>(*place)[index];
    if (type == kBf16)
      return std::bit_cast<float>(static_cast<uint32_t>(static_cast<const uint16_t*>(*place)[index])
                                  << 16);
    return static_cast<const float*>(*place)[index];
  }
};

struct Work {
  Matrix a, b;
  void* const* c;
  int m, n, k, leading, compute;
};

float toTf32(float value) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + 0x1000u) & ~0x1fffu);
}

uint16_t toBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::isnan(value) ? 0x7fff
                           : static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

void multiply(void* data) {
  const Work& work = *static_cast<const Work*>(data);
  for (int column = 0; column < work.n; ++column)
    for (int row = 0; row < work.m; ++row) {
      double wide = 0;
      float sum = 0;
      for (int at = 0; at < work.k; ++at) {
        const double a = work.a.at(row, at), b = work.b.at(at, column);
        if (work.compute == kComputeF64)
          wide = std::fma(a, b, wide);
        else if (work.compute == kComputeTf32)
          sum = std::fma(toTf32(static_cast<float>(a)), toTf32(static_cast<float>(b)), sum);
        else
          sum = std::fma(static_cast<float>(a), static_cast<float>(b), sum);
      }
      const size_t index = static_cast<size_t>(column) * work.leading + row;
      if (work.a.type == kF64)
        static_cast<double*>(*work.c)[index] = wide;
      else if (work.a.type == kBf16)
        static_cast<uint16_t*>(*work.c)[index] = toBf16(sum);
      else
        static_cast<float*>(*work.c)[index] = sum;
    }
}

}  // namespace

extern "C" {

int cublasGetProperty(int, int* value) {
  *value = 13;
  return 0;
}
int cublasCreate_v2(Handle** handle) {
  *handle = new Handle;
  return 0;
}
int cublasDestroy_v2(Handle* handle) {
  delete handle;
  return 0;
}
int cublasSetStream_v2(Handle* handle, void* stream) {
  handle->stream = stream;
  return 0;
}
int cublasSetWorkspace_v2(Handle*, void*, size_t) { return 0; }

int cublasGemmBatchedEx(Handle* handle, int transA, int transB, int m, int n, int k, const void*,
                        const void* const* a, int typeA, int leadingA, const void* const* b,
                        int typeB, int leadingB, const void*, void* const* c, int, int leadingC,
                        int batch, int compute, int) {
  const char* settings = std::getenv("RLC_FAKE_GPU");
  if (const char* fail = settings ? std::strstr(settings, "fail=cublas:") : nullptr)
    return std::atoi(fail + std::strlen("fail=cublas:"));
  if (batch != 1 || leadingA < (transA ? k : m) || leadingB < (transB ? n : k) || leadingC < m)
    return 7;
  if (compute != kComputeF32 && compute != kComputeF64 && compute != kComputeTf32) return 15;
  // Graphs run it again: it lives as long as the process.
  rlcFakeEnqueue(handle->stream, multiply,
                 new Work{{a, typeA, transA != 0, leadingA},
                          {b, typeB, transB != 0, leadingB},
                          c,
                          m,
                          n,
                          k,
                          leadingC,
                          compute});
  return 0;
}
}
