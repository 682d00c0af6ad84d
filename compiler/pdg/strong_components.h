// Strongly connected components of a directed graph given by adjacency lists.
#pragma once

#include <vector>

namespace rlc::pdg {

// The component of each vertex. Numbers ascend against the edges: a vertex's successors have its
// own number or a smaller one. (Tarjan, "Depth-first search and linear graph algorithms", 1972,
// with an explicit stack: graphs are thousands of vertices deep.)
struct StrongComponents {
  std::vector<int> of;  // [vertex]
  int count = 0;
};

StrongComponents findStrongComponents(const std::vector<std::vector<int>>& successors);

}  // namespace rlc::pdg
