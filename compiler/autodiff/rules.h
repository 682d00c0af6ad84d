// What each operation passes on to its operands: adjoint of the result times the local derivative,
// as a source over the consumer's variables.
#pragma once

#include <map>

#include "compiler/autodiff/emitter.h"
#include "compiler/autodiff/inverse.h"
#include "compiler/autodiff/support.h"

namespace rlc::autodiff {

// d loss / d node, over `dims` (the loss's own variables, then the node's) and the node's elements.
struct Adjoint {
  std::vector<Var> dims;
  Set domain;     // over dims
  Source source;  // zero outside the domain
};

struct Tools {
  Graph& graph;
  Constants& constants;
  Support& support;
  RangeVariables& ranges;
  // What the nodes of gradients have their points from: the node that one is the adjoint of, or
  // whose reads it is a part of the adjoints of.
  std::map<NodeId, NodeId> like = {};
};

// `guarded`: the adjoint may be zero because the value was not selected, and the local derivative
// infinite or NaN: then the result is zero.
Source mapOperand(Tools& tools, const Node& consumer, int input, const Adjoint& adjoint,
                  bool guarded);
// `lacking`: what the reduction reads may lack values where its adjoint is zero.
Source reduceOperand(Tools& tools, const Node& consumer, const Adjoint& adjoint, bool lacking);
Source sortOperand(Tools& tools, const Node& consumer, const Adjoint& adjoint);

// Whether the operation's derivative or value may be infinite or NaN where its operands are finite.
bool isSingular(ScalarOp op);

}  // namespace rlc::autodiff
