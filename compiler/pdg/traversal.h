// Who reads whom, and in which order a graph can be walked.
#pragma once

#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// For each node the nodes that read it, each once, ascending.
std::vector<std::vector<NodeId>> users(const Graph& graph);

// How many reads of nodes there are of each node.
std::vector<int> readCounts(const Graph& graph);

// The strongly connected components of the reads, producers before consumers; recurrences are the
// components with several nodes, or with one that reads itself. Within a component, ascending.
std::vector<std::vector<NodeId>> components(const Graph& graph);

// Whether the node is part of a recurrence, for each node.
std::vector<bool> recurrent(const Graph& graph);

// The nodes that the roots depend on, the roots included.
std::vector<bool> reachable(const Graph& graph, const std::vector<NodeId>& roots);

// The nodes that sinks read.
std::vector<NodeId> sinkRoots(const Graph& graph);

// What the graph is for: the nodes that sinks read, and the ends of its indices.
std::vector<NodeId> roots(const Graph& graph);

// For each node the name to call it by: its own, else that of the nearest named node which reads
// it (of the program's, before a gradient's), else "".
std::vector<std::string> displayNames(const Graph& graph);

}  // namespace rlc::pdg
