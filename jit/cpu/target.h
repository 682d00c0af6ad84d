// Processors as LLVM knows them.
#pragma once

#include <llvm/MC/TargetRegistry.h>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

void initializeTarget();  // before any other use of LLVM; cheap once done
const llvm::Target& lookUpTarget();

}  // namespace rlc::cpu
