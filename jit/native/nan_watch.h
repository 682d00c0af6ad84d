// Finds where a NaN came from once a report has shown one: costs nothing until then.
#pragma once

#include <optional>
#include <string>

#include "compiler/loops/lower.h"
#include "jit/native/machine.h"

namespace rlc::native {

// "`v` at i = 3, b = 0": the first NaN that the program stores. It is compiled once more, with a
// test of every value, and runs again from its start to the first one (`request`: what the run
// before had; nothing is emitted). nullopt: stopped before.
std::optional<std::string> findFirstNan(const pdg::Graph& graph,
                                        const schedule::Statements& statements,
                                        const schedule::Schedule& schedule,
                                        const std::vector<schedule::Storage>& storage,
                                        const MachineMaker& make, RunRequest request);

}  // namespace rlc::native
