// Element-wise operations that change nothing, or that a simpler one does as well, bit for bit:
// signed zeros, NaN and infinities included (not the payload of a NaN).
#pragma once

#include "compiler/passes/rewrite.h"

namespace rlc::passes {

struct Simplified {
  enum class Kind : uint8_t { Same, Rewritten, Alias };
  Kind kind = Kind::Same;
  Read value;  // Alias: the read that gives the node's value
};

// May rewrite the node in place; its operands have been simplified.
Simplified simplifyMap(Graph& graph, NodeId id, ConstantPool& pool);

}  // namespace rlc::passes
