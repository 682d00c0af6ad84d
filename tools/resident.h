// How much memory of the machine this process takes.
#pragma once

#include <cstdint>

namespace rlc::tools {

// By how many bytes more than at the beginning the process has been in memory at most: what a
// program of another system tells of itself by ru_maxrss.
class ResidentGrowth {
 public:
  ResidentGrowth();
  int64_t bytes() const;  // so far; 0: the system does not tell

 private:
  int64_t before_ = 0;
};

}  // namespace rlc::tools
