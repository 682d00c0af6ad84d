// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

namespace rlc::tools {

struct ChildEnd {
  int status = 0;      // its exit status; 127: it could not be started; 128: it was ended
  std::string output;  // what it wrote to stdout, or why it could not be started
  bool late = false;   // it was ended because it took too long
};

enum class ChildErrors : bool {
  Apart,   // to nowhere
  Joined,  // behind what it writes to stdout
};

// `command`: the program, looked for on PATH, and its arguments.
ChildEnd runChild(const std::vector<std::string>& command, ChildErrors errors,
                  double mostSeconds = 1e9);

}  // namespace rlc::tools
