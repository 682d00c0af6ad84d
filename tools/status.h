// What rlc's exit status says.
#pragma once

namespace rlc::tools {

enum Status : int {
  kOk = 0,
  kProgramError = 1,  // the program is wrong, or can't be read
  kUsageError = 2,    // the command line is wrong
  kFault = 3,         // the program failed while it ran
  kInternalError = 70,
  kInterrupted = 130,
};

}  // namespace rlc::tools
