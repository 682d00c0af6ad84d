// What a program needs memory for, as a table.
#pragma once

#include <string>

#include "compiler/loops/lower.h"
#include "jit/native/machine.h"

namespace rlc::native {

// Of `allowed` bytes; `limited`: the user set them.
std::string needsText(const pdg::Graph& graph, const loops::Lowered& lowered,
                      const Machine& machine, int threads, int64_t allowed, bool limited);
std::string sizeText(int64_t bytes);  // "64 bytes", "12.5 MB"

}  // namespace rlc::native
