#include "tools/resident.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace rlc::tools {

namespace {

// A line of /proc/self/status: "VmHWM:     1234 kB"; 0: there is none.
int64_t statusBytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kilobytes = 0;
    if (word == name) return status >> kilobytes ? 1024 * kilobytes : 0;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

}  // namespace

ResidentGrowth::ResidentGrowth() {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what is there now
  before_ = statusBytes("VmHWM:");
}

int64_t ResidentGrowth::bytes() const {
  return std::max<int64_t>(0, statusBytes("VmHWM:") - before_);
}

}  // namespace rlc::tools
