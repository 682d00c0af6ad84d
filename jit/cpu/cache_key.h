// Names under which code is kept (disk_cache.h): one for each program, set of options, processor
// and compiler version.
#pragma once

#include <string>
#include <string_view>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

// What makes the code: of another maker it is other code.
struct Maker {
  std::string compiler;  // rlc's sources and LLVM's version
  TargetDescription target;
};
Maker makerOf(const CompileOptions& options);

// A hash of everything that the object code depends on.
std::string cacheKey(const loops::Program& program, const CompileOptions& options,
                     const Maker& maker);
std::string cacheKey(const loops::Program& program, const CompileOptions& options);
// The same for what a text describes; how it becomes a program is not in it.
std::string cacheKey(std::string_view text, const CompileOptions& options);

}  // namespace rlc::cpu
