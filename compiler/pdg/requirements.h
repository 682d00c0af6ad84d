// What must hold where a program runs: the type `i32 in lo..hi`, `require`. It is a read, at a
// subscript that is data, of a node that gives an index's own values (IndexValue), and fails where
// the subscript is outside of the node's domain.
#pragma once

#include <optional>
#include <string>

#include "compiler/diagnostics/kinds.h"
#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// The sentence that a read outside of this node's domain fails with, if the node is there for that.
// It is the node's name: those of a program's tensors are one word.
std::optional<std::string> requirementOf(const Node& node);

// What a run is told where that read fails: the sentence and, in a second line, its way out.
std::optional<std::string> requirementText(const Node& node);

// What kind of a fault that read, or one of any other node, is.
diagnostics::Kind faultOutside(const Node& node);

}  // namespace rlc::pdg
