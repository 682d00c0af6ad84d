// Times that keep distances: the least that are late enough.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rlc::schedule {

struct Edge {
  size_t source, sink;
  int64_t length;
};

// The least values >= 0 with value[sink] >= value[source] + length for all edges (Bellman and
// Ford); nothing where there are none.
std::optional<std::vector<int64_t>> longestPaths(size_t nodes, const std::vector<Edge>& edges);

}  // namespace rlc::schedule
