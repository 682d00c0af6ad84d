// Object code kept on disk between runs, one file for each program, set of options, processor and
// compiler version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

// A hash, in hexadecimal, of everything that the object code depends on.
std::string cacheKey(const loops::Program& program, const CompileOptions& options);

// Never an error: entries that are damaged or foreign count as absent, and a folder that cannot be
// written stays as it is.
class ObjectCache {
 public:
  explicit ObjectCache(const CompileOptions& options);
  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, std::string_view object) const;

 private:
  std::string folder_;  // empty: none
};

}  // namespace rlc::cpu
