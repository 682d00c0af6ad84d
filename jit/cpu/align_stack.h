// A stack on which vectors are aligned.
//
// A vector for which there is no register is kept on the stack, in a loop's middle if it comes to
// that. Across two cache lines it comes back tens of cycles later, and whether it is depends on
// where the system has put the stack. LLVM aligns such places where the whole frame is aligned, for
// which each function gives up a register, or where the caller has aligned it. So functions that
// the host calls align it once, and call those that compute.
#pragma once

#include <llvm/IR/Module.h>

namespace rlc::cpu {

// For vectors of so many bytes. Functions of the module that others call, or whose address is
// taken, become two: `NAME.entry`, or NAME where others look it up, and what it calls.
void alignStack(llvm::Module& module, int vectorBytes);

}  // namespace rlc::cpu
