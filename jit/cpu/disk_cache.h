// What compilations leave on disk for later ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rlc::cpu {

// 128 bits in hexadecimal; the same on every machine.
std::string hashOf(std::string_view bytes);

// A folder of entries by name, in which all processes of a user share. Never an error: entries that
// are damaged or foreign count as absent, and a folder that cannot be written stays as it is. It is
// kept below a gigabyte, and what has not been read for a month goes.
class DiskCache {
 public:
  // Empty: $RLC_CACHE_DIR, else $XDG_CACHE_HOME/rlc, else ~/.cache/rlc.
  explicit DiskCache(const std::string& folder = "");

  std::optional<std::string> find(const std::string& name) const;
  void keep(const std::string& name, std::string_view bytes) const;

 private:
  std::string pathOf(const std::string& name) const;

  std::string folder_;  // empty: none
};

}  // namespace rlc::cpu
