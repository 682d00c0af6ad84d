// What this machine's processor can do; the compiler of this file knows the names only as literals.
#include "jit/host/built_program.h"

namespace rlc::host {

#if defined(__x86_64__)

// clang-format off
#define RLC_FEATURES(X)                                                                           \
  X("sse3") X("ssse3") X("sse4.1") X("sse4.2") X("popcnt") X("avx") X("avx2") X("fma") X("bmi")   \
  X("bmi2") X("lzcnt") X("movbe") X("f16c") X("gfni") X("avx512f") X("avx512vl") X("avx512bw")    \
  X("avx512dq") X("avx512cd") X("avx512vbmi") X("avx512vbmi2") X("avx512ifma") X("avx512vnni")    \
  X("avx512bitalg") X("avx512vpopcntdq") X("avx512bf16") X("avx512fp16")
// clang-format on

namespace {
#define RLC_NAME(name) name,
constexpr std::string_view kFeatures[] = {RLC_FEATURES(RLC_NAME)};
#undef RLC_NAME
}  // namespace

bool processorHas(std::string_view feature) {
  __builtin_cpu_init();
#define RLC_ASK(name) \
  if (feature == name) return __builtin_cpu_supports(name) != 0;
  RLC_FEATURES(RLC_ASK)
#undef RLC_ASK
  return false;
}

std::span<const std::string_view> processorFeatures() { return kFeatures; }

#else

bool processorHas(std::string_view) { return true; }

std::span<const std::string_view> processorFeatures() { return {}; }

#endif

}  // namespace rlc::host
