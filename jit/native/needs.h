// What a program needs memory for, as a table.
#pragma once

#include <string>

#include "compiler/loops/lower.h"
#include "jit/native/machine.h"

namespace rlc::native {

// Of `allowed` bytes; `limited`: the user set them.
std::string needsText(const pdg::Graph& graph, const loops::Lowered& lowered,
                      const Machine& machine, int threads, int64_t allowed, bool limited);

}  // namespace rlc::native
