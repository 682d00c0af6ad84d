// Names under which code is kept (disk_cache.h): one for each program, set of options, processor
// and compiler version.
#pragma once

#include <string>
#include <string_view>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

// A hash of everything that the object code depends on.
std::string cacheKey(const loops::Program& program, const CompileOptions& options);
// The same for what a text describes; how it becomes a program is not in it.
std::string cacheKey(std::string_view text, const CompileOptions& options);

}  // namespace rlc::cpu
