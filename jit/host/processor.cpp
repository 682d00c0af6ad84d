// What this machine's processor can do; the compiler of this file knows the names only as literals.
#include "jit/host/built_program.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace rlc::host {

// RLC_FEATURES(X): X(LLVM's name, what RLC_HAS takes besides) for each feature that code without
// intrinsics may be made of.
// clang-format off
#if defined(__x86_64__)

#define RLC_FEATURES(X)                                                                           \
  X("sse3") X("ssse3") X("sse4.1") X("sse4.2") X("popcnt") X("avx") X("avx2") X("fma") X("bmi")   \
  X("bmi2") X("lzcnt") X("movbe") X("f16c") X("gfni") X("avx512f") X("avx512vl") X("avx512bw")    \
  X("avx512dq") X("avx512cd") X("avx512vbmi") X("avx512vbmi2") X("avx512ifma") X("avx512vnni")    \
  X("avx512bitalg") X("avx512vpopcntdq") X("avx512bf16") X("avx512fp16")
#define RLC_HAS(name) (__builtin_cpu_init(), __builtin_cpu_supports(name) != 0)

#elif defined(__aarch64__) && defined(__linux__)

// With the system's word and its bit.
#define RLC_FEATURES(X)                                                                           \
  X("lse", AT_HWCAP, HWCAP_ATOMICS) X("rdm", AT_HWCAP, HWCAP_ASIMDRDM)                            \
  X("crc", AT_HWCAP, HWCAP_CRC32) X("sha3", AT_HWCAP, HWCAP_SHA3)                                 \
  X("fullfp16", AT_HWCAP, HWCAP_ASIMDHP) X("fp16fml", AT_HWCAP, HWCAP_ASIMDFHM)                   \
  X("jsconv", AT_HWCAP, HWCAP_JSCVT) X("complxnum", AT_HWCAP, HWCAP_FCMA)                         \
  X("rcpc", AT_HWCAP, HWCAP_LRCPC) X("rcpc-immo", AT_HWCAP, HWCAP_ILRCPC)                         \
  X("dotprod", AT_HWCAP, HWCAP_ASIMDDP) X("flagm", AT_HWCAP, HWCAP_FLAGM)                         \
  X("sve", AT_HWCAP, HWCAP_SVE) X("sve2", AT_HWCAP2, HWCAP2_SVE2)                                 \
  X("altnzcv", AT_HWCAP2, HWCAP2_FLAGM2) X("fptoint", AT_HWCAP2, HWCAP2_FRINT)                    \
  X("i8mm", AT_HWCAP2, HWCAP2_I8MM) X("bf16", AT_HWCAP2, HWCAP2_BF16)
#define RLC_HAS(name, word, bit) ((getauxval(word) & (bit)) != 0)

#endif
// clang-format on

#if defined(RLC_FEATURES)

namespace {
#define RLC_NAME(name, ...) name,
constexpr std::string_view kFeatures[] = {RLC_FEATURES(RLC_NAME)};
#undef RLC_NAME
}  // namespace

bool processorHas(std::string_view feature) {
#define RLC_ASK(name, ...) \
  if (feature == name) return RLC_HAS(name __VA_OPT__(, ) __VA_ARGS__);
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
