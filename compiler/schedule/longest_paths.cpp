#include "compiler/schedule/longest_paths.h"

namespace rlc::schedule {

namespace {

// Whether the edges that gave the nodes their values last, one a node, have a cycle: it gets longer
// with each turn.
bool hasCycle(const std::vector<Edge>& edges, const std::vector<std::optional<size_t>>& last) {
  std::vector<size_t> walk(last.size());  // the number of the walk that came by; 0: none
  for (size_t start = 0; start < last.size(); ++start) {
    for (size_t at = start; walk[at] == 0 && last[at]; at = edges[*last[at]].source) {
      walk[at] = start + 1;
      if (walk[edges[*last[at]].source] == start + 1) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::vector<int64_t>> longestPaths(size_t nodes, const std::vector<Edge>& edges) {
  std::vector<int64_t> value(nodes, 0);
  std::vector<std::optional<size_t>> last(nodes);
  bool changed = true;
  for (size_t round = 0; changed; ++round) {
    changed = false;
    for (size_t k = 0; k < edges.size(); ++k) {
      const int64_t needed = value[edges[k].source] + edges[k].length;
      if (value[edges[k].sink] >= needed) continue;
      value[edges[k].sink] = needed;
      last[edges[k].sink] = k;
      changed = true;
    }
    if (changed && (round > nodes || hasCycle(edges, last))) return std::nullopt;
  }
  return value;
}

}  // namespace rlc::schedule
