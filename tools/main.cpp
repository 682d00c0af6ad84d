// rlc: the program.
#include "jit/host/out_of_memory.h"
#include "tools/command_line.h"

namespace {

// Static objects allocate, too.
[[gnu::constructor(101)]] void beforeStaticObjects() { rlc::host::sayWhenOutOfMemory("rlc"); }

}  // namespace

int main(int argc, char** argv) { return rlc::tools::commandLine(argc, argv); }
