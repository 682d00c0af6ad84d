// A graph as its author thinks of it: one node for each tensor of the source, its leaves and the operations that only serve it
// taken together, and an edge for each way in which one tensor reads another.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/source_map.h"
#include "compiler/pdg/graph.h"

namespace rlc::explain {

struct Tensor {
  std::string name;                   // the root of its leaves' names: "θ", "pi"; "" for operations that no tensor owns
  std::vector<pdg::NodeId> members;
  std::vector<pdg::NodeId> leaves;    // the members that carry the name
  std::string heading;                // "s[i, b, t]"
  std::string type;                   // "f32[64, 4]", "5 tensors"
  std::string domain;                 // "i in 0..200, b in 0..64"
  enum class Kind : uint8_t { Equation, Recurrence, Draw, Gradient, Param, Sink } kind = Kind::Equation;
  int sink = -1;
  diagnostics::Span span;             // its first equation in the program's own file, where there is one
};

struct TensorEdge {
  int from = -1, to = -1;             // positions: the tensor that is read, the one that reads
  std::set<std::string> reads;        // "[i, b, t - 1]", over the reader's indices
  bool carried = false;               // some of them reads another point of an index that both have
};

struct Equations {
  std::vector<Tensor> tensors;
  std::vector<TensorEdge> edges;
  std::vector<int> tensorOf;          // [node]; -1: a constant that is shown where it is read
};

// The program's own equations by the name on their left sides, in its file.
using EquationPlaces = std::map<std::string, std::vector<diagnostics::Span>>;

Equations equationsOf(const pdg::Graph& graph, const EquationPlaces& places);

// "i in 0..200, b in 0..64"; what is no box, as a condition.
std::string domainText(const pdg::Graph& graph, const pdg::Node& node);

}  // namespace rlc::explain
