// The server on a pair of streams.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace rlc::lsp {

// Until `exit` or the end of `in`; the exit status. May leave an analysis running: end the process.
int serve(std::istream& in, std::ostream& out, std::vector<std::string> library,
          std::string version);

}  // namespace rlc::lsp
