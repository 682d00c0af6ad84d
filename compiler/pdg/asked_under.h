// Where nothing asks for a value because an index has ended.
#pragma once

#include <vector>

#include "compiler/pdg/ends.h"

namespace rlc::pdg {

// [node] truths that hold wherever anything asks for the node: reads of the recurrences by which
// indices end, in the node's dims. max(x[k] for k in s..end(s)) in a sum over s is asked for where
// s has not ended, and has no value where it has. None for subscripts, whose values are looked at
// elsewhere, too. `indices`: with how far each node goes on (EndingIndex::beyond).
std::vector<std::vector<Read>> askedUnder(const Graph& graph,
                                          const std::vector<EndingIndex>& indices);

}  // namespace rlc::pdg
