// The schedule as a loop nest in text.
#pragma once

#include <string>

#include "compiler/schedule/storage.h"

namespace rlc::schedule {

// One line a loop or statement: `for i in 0..200 {`, `parallel for b ...`, `  x[i, b, t] = ...` by
// the names that the user gave.
std::string print(const Graph& graph, const Statements& statements, const Schedule& schedule);

// A line a stored tensor: its windows and size.
std::string print(const Graph& graph, const std::vector<Storage>& storage);

}  // namespace rlc::schedule
