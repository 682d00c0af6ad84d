// Truths by which values are chosen.
#pragma once

#include <functional>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// Visits what a truth is the conjunction of, through aliases, as reads in the reader's variables.
void forEachConjunct(const Graph& graph, const Read& truth,
                     const std::function<void(const Read&)>& visit);
// Visits what has to hold, in the node's variables, for its k-th input to be read: of a selection,
// and of a reduction what its filter says.
void forEachChosenBy(const Graph& graph, const Node& node, size_t k,
                     const std::function<void(const Read&)>& visit);
// Visits truths that must hold where a reduction takes anything, in its variables: its filter's
// and, of a sum, those that its body chooses between a value and zero by.
void forEachNeeded(const Graph& graph, const Node& reduction,
                   const std::function<void(const Read&)>& visit);

}  // namespace rlc::pdg
