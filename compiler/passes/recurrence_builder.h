// Makes the nodes of a recurrence that replaces a reduction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/passes/reduction_factors.h"

namespace rlc::passes {

// New nodes have the given dims, the reduction's shape and span, and a domain each. Reads that come
// back are over their dims and element positions and take no values of inputs.
class RecurrenceBuilder {
 public:
  using Where = std::map<Var, IndexExpr>;

  // `reduction`: what reads are over on the way in; outlives the builder. `dims`: a list that has
  // its.
  RecurrenceBuilder(Graph& graph, ConstantPool& pool, const Node& reduction, std::vector<Var> dims)
      : graph_(graph), pool_(pool), reduction_(reduction), dims_(std::move(dims)) {}

  // `read` with some variables (the bound one) replaced. Element-wise operations that vary along
  // both `along` and `bound` are made anew at just these points.
  Read value(const Read& read, const Where& where, const pdg::Set& domain, Var along, Var bound);
  Read map(ScalarOp op, DType type, const pdg::Set& domain, std::vector<Read> operands);
  Read cast(DType type, const pdg::Set& domain, const Read& operand);
  Read constant(DType type, int64_t value) { return pool_.read(Scalar::ofInt(type, value)); }
  // base ^ exponent over the dims; nothing for an exponent of 0.
  std::optional<Read> power(const Read& base, const IndexExpr& exponent, const pdg::Set& domain);
  Read merge(DType type, const pdg::Set& domain, std::vector<pdg::Merge::Piece> pieces,
             std::vector<Read> inputs);
  Read reduce(DType type, const pdg::Set& domain, pdg::Reduce op, std::vector<Read> inputs);
  // For a node that reads itself: its inputs come with define().
  NodeId declare(DType type, const pdg::Set& domain);
  Read read(NodeId id) const;
  const std::vector<Var>& dims() const { return dims_; }
  DType type(const Read& read) const { return graph_.node(read.producer).type; }

 private:
  Node node(DType type, const pdg::Set& domain, pdg::Op op) const;
  Read add(Node node);

  Graph& graph_;
  ConstantPool& pool_;
  const Node& reduction_;
  std::vector<Var> dims_;
  int clones_ = 0;
};

}  // namespace rlc::passes
