// Links object files into a program.
#pragma once

#include <string>
#include <vector>

namespace rlc::tools {

// `objects`: their bytes. The runtime's archive is found beside rlc. `linker`: a compiler's driver;
// empty: $CXX or the first that is there. Throws UsageError with what to install or to set, or what
// the linker said.
void linkProgram(const std::vector<std::string>& objects, const std::string& output,
                 const std::string& linker);

}  // namespace rlc::tools
