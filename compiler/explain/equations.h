// A graph as its author thinks of it: one node for each tensor of the source, its leaves and the
// operations that only serve it taken together, and an edge for each way in which one tensor reads
// another.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/source_map.h"
#include "compiler/pdg/graph.h"

namespace rlc::explain {

struct Tensor {
  std::string name;  // the root of its leaves' names: "θ", "pi"
  std::vector<pdg::NodeId> members;
  std::vector<pdg::NodeId> leaves;  // the members that carry the name
  std::string heading;              // "s[i, b, t]"
  std::string type;                 // "f32[64, 4]", "5 tensors"
  std::string domain;               // "i in 0..200, b in 0..64"
  enum class Kind : uint8_t {
    Equation,
    Recurrence,
    Draw,
    Gradient,
    Param,
    Sink
  } kind = Kind::Equation;
  int sink = -1;
  diagnostics::Span span;  // its first equation among the places, where there is one
};

struct TensorEdge {
  int from = -1, to = -1;       // positions: the tensor that is read, the one that reads
  std::set<std::string> reads;  // "[i, b, t - 1]", over the reader's indices
  bool carried = false;         // some of them reads another point of an index that both have
};

struct Equations {
  std::vector<Tensor> tensors;
  std::vector<TensorEdge> edges;
  std::vector<int> tensorOf;  // [node]; -1: a constant that is shown where it is read
};

// Equations by the name on their left sides: the program's own, "run", and those of functions that
// are as a program of their own, "run.s".
using EquationPlaces = std::map<std::string, std::vector<diagnostics::Span>>;

// The places of a program's equations and of those of the functions that they call: of functions
// with many, as a whole algorithm has.
EquationPlaces placesOf(EquationPlaces own, const EquationPlaces& called);

// The tensor that a name belongs to: "θ" of "θ.net.layers.0.W", "run.s" of "run.s.x" where that is
// an equation, "∂loss/∂θ" of "∂loss/∂θ.net.c".
std::string tensorName(const std::string& name, const EquationPlaces& places);

Equations equationsOf(const pdg::Graph& graph, const EquationPlaces& places);

// "i in 0..200, b in 0..64"; of what is no box, its box and "in part".
std::string domainText(const pdg::Graph& graph, const pdg::Node& node);

}  // namespace rlc::explain
