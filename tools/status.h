// What the exit status says.
#pragma once

#include <stdexcept>

namespace rlc::tools {

enum Status : int {
  kOk = 0,
  kProgramError = 1,  // the program is wrong, or can't be read
  kUsageError = 2,    // the command line is wrong
  kFault = 3,         // the program failed while it ran
  kInternalError = 70,
  kInterrupted = 130,
};

// A mistake on the command line: a sentence, status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rlc::tools
