// What a step changed in a graph.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::explain {

struct GraphChange {
  struct Line {
    enum class Kind : uint8_t { Removed, Added } kind = Kind::Added;
    diagnostics::Span span;
    std::string text;  // the node's, without its number where it has a name
  };
  int removed = 0, added = 0, changed = 0;  // nodes
  std::vector<Line> lines;                  // a changed node is a removed and an added line
};

// Nodes are matched by what they compute, then by name: numbers move when others go.
GraphChange changeBetween(const pdg::Graph& before, const pdg::Graph& after);

}  // namespace rlc::explain
