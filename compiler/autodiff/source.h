// A scalar read with what its subscripts need: the adjoints and factors that gradients are made of,
// before they become inputs of nodes.
#pragma once

#include <map>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::autodiff {

using pdg::at;
using pdg::Condition;
using pdg::Graph;
using pdg::IndexExpr;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Set;
using pdg::Var;

// Over the variables of the place that it is used in. A Value(k) atom of `read`, or of one of
// `values`, is the value of values[k].
struct Source {
  Read read;
  std::vector<Read> values;
};

using Substitution = std::map<Var, IndexExpr>;

// The node at its own variables, and one of its operands.
Source selfOf(const Node& node);
Source operandOf(const Node& node, int input);

Read substitute(const Read& read, const Substitution& replacement);
// The Value atoms of the replacements are numbered in `replacementValues`.
Source substitute(const Source& source, const Substitution& replacement,
                  const std::vector<Read>& replacementValues);
inline Source substitute(const Source& source, const Substitution& replacement) {
  return substitute(source, replacement, {});
}

// The inputs of a node: the sources in order, then those that serve Value atoms; `extra`, whose
// Value atoms are numbered in `extraValues`, is renumbered along (the keys of a scatter).
std::vector<Read> inputsOf(const std::vector<Source>& sources);
std::vector<Read> inputsOf(const std::vector<Source>& sources, std::vector<IndexExpr*> extra,
                           const std::vector<Read>& extraValues);

}  // namespace rlc::autodiff
