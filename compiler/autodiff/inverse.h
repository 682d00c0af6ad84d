// Which points of a consumer read a point of its producer: a read turned around.
#pragma once

#include <map>
#include <vector>

#include "compiler/autodiff/source.h"

namespace rlc::autodiff {

// Range variables that sums over inverse reads bind; shared between nodes, distinct within one.
class RangeVariables {
 public:
  explicit RangeVariables(Graph& graph) : graph_(graph) {}
  // One that stands for `original` (a dim, or an element position) and is none of `taken`: the dim
  // itself where it is free.
  Var standIn(Var original, const std::vector<Var>& taken);

 private:
  Graph& graph_;
  std::map<Var, std::vector<Var>> made_;
};

// An equation between the producer's point and the consumer's.
struct Equation {
  IndexExpr producer;  // over its dims and elements
  IndexExpr consumer;  // over its readVariables; may take values of its inputs
};

// { (params, producer's dims, producer's elements, bound) : the consumer, at `consumer` of these,
// reads this point }.
struct Inverse {
  Substitution consumer;  // the consumer's variables; may take values, numbered as its inputs
  std::vector<Var> bound;
  Set domain;
  std::vector<pdg::Reduce::Key> keys;  // equations with values: they hold of the data only
};

// `where`: the points, over params and the consumer's readVariables, at which the read counts.
// `also`: more equations that must hold. `scatter`: variables of the consumer that stand where a
// key puts them.
Inverse invert(Graph& graph, RangeVariables& ranges, const Node& consumer, const Read& read,
               const std::vector<Var>& params, const Set& where, const std::vector<Equation>& also,
               const std::vector<pdg::Reduce::Key>& scatter);

// A variable that no graph has.
inline Var scratch(int k) { return Var::dim((1 << 29) + k); }

}  // namespace rlc::autodiff
