// What this machine's processor can do; the compiler of this file knows the names only as literals.
#include "jit/host/built_program.h"

namespace rlc::host {

#if defined(__x86_64__)

namespace {
constexpr std::string_view kFeatures[] = {"sse3",     "ssse3",    "sse4.1",   "sse4.2",   "popcnt",      "avx",        "avx2",
                                          "fma",      "bmi",      "bmi2",     "avx512f",  "avx512vl",    "avx512bw",   "avx512dq",
                                          "avx512cd", "avx512vbmi", "avx512ifma", "avx512vnni", "avx512bitalg", "avx512vpopcntdq"};
}  // namespace

bool processorHas(std::string_view feature) {
  __builtin_cpu_init();
#define RLC_ASK(name) \
  if (feature == name) return __builtin_cpu_supports(name) != 0
  RLC_ASK("sse3");
  RLC_ASK("ssse3");
  RLC_ASK("sse4.1");
  RLC_ASK("sse4.2");
  RLC_ASK("popcnt");
  RLC_ASK("avx");
  RLC_ASK("avx2");
  RLC_ASK("fma");
  RLC_ASK("bmi");
  RLC_ASK("bmi2");
  RLC_ASK("avx512f");
  RLC_ASK("avx512vl");
  RLC_ASK("avx512bw");
  RLC_ASK("avx512dq");
  RLC_ASK("avx512cd");
  RLC_ASK("avx512vbmi");
  RLC_ASK("avx512ifma");
  RLC_ASK("avx512vnni");
  RLC_ASK("avx512bitalg");
  RLC_ASK("avx512vpopcntdq");
#undef RLC_ASK
  return false;
}

std::span<const std::string_view> processorFeatures() { return kFeatures; }

#else

bool processorHas(std::string_view) { return true; }

std::span<const std::string_view> processorFeatures() { return {}; }

#endif

}  // namespace rlc::host
