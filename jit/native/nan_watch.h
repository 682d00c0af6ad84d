// Finds where a NaN came from once a report shows one: costs nothing until then.
#pragma once

#include <optional>
#include <string>

#include "compiler/loops/lower.h"
#include "compiler/schedule/tree.h"

namespace rlc::native {

// The first tensor, in the order in which an iteration computes them, that holds a NaN in the arena; nullopt: none does (it is in
// values that have no storage).
std::optional<std::string> firstTensorWithNan(const pdg::Graph& graph, const schedule::Statements& statements,
                                              const schedule::Schedule& schedule, const loops::Lowered& lowered,
                                              const std::byte* arena);

bool containsNan(const DenseTensor& value);

}  // namespace rlc::native
