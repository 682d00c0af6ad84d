// Finds where a NaN came from once a report shows one: costs nothing until then.
#pragma once

#include <optional>
#include <string>

#include "compiler/loops/lower.h"
#include "compiler/schedule/tree.h"
#include "jit/native/machine.h"

namespace rlc::native {

// The first tensor, in the order in which an iteration computes them, that holds a NaN in the arena; nullopt: none does (it is in
// values that have no storage).
std::optional<std::string> firstTensorWithNan(const pdg::Graph& graph, const schedule::Statements& statements,
                                              const schedule::Schedule& schedule, const loops::Lowered& lowered,
                                              const ArenaView& arena);

bool containsNan(const DenseTensor& value);

}  // namespace rlc::native
