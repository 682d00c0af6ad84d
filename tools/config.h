// Values of params from a TOML file:
//
//   iterations = 50
//   lr = 3e-4
//
//   [actor]
//   width = 64        # the param actor.width
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rlc::tools {

// name, value as it would stand on a command line. Throws UsageError with the file and what is
// wrong.
std::vector<std::pair<std::string, std::string>> readConfig(const std::string& path);

}  // namespace rlc::tools
