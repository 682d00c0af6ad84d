// The command line of `rlc`, as a function: of the program itself, and of the process that runs
// many of them for tests (tests/support/many.cpp).
#pragma once

namespace rlc::tools {

// Runs the command that the arguments name, `argv[0]` being the program, and gives the exit status
// (tools/status.h). What went wrong has been said on stderr.
int commandLine(int argc, char** argv);

}  // namespace rlc::tools
