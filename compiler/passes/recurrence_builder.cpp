#include "compiler/passes/recurrence_builder.h"

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {
constexpr int kMostClones = 64;
}

Node RecurrenceBuilder::node(DType type, const pdg::Set& domain, pdg::Op op) const {
  Node node;
  node.span = reduction_.span;
  node.dims = dims_;
  node.domain = domain;
  node.type = type;
  node.shape = reduction_.shape;
  node.op = std::move(op);
  return node;
}

Read RecurrenceBuilder::read(NodeId id) const {
  const Node& node = graph_.node(id);
  return {id, pdg::identity(node.dims), pdg::identity(pdg::elementVars(node))};
}

Read RecurrenceBuilder::add(Node node) { return read(graph_.add(std::move(node))); }

NodeId RecurrenceBuilder::declare(DType type, const pdg::Set& domain) {
  return graph_.add(node(type, domain, pdg::Merge{}));
}

Read RecurrenceBuilder::map(ScalarOp op, DType type, const pdg::Set& domain,
                            std::vector<Read> operands) {
  Node made = node(type, domain, pdg::Map{op});
  made.inputs = std::move(operands);
  return add(std::move(made));
}

Read RecurrenceBuilder::cast(DType type, const pdg::Set& domain, const Read& operand) {
  if (this->type(operand) == type) return operand;
  return map(ScalarOp::Cast, type, domain, {operand});
}

std::optional<Read> RecurrenceBuilder::power(const Read& base, const IndexExpr& exponent,
                                             const pdg::Set& domain) {
  const auto constant = exponent.asConstant();
  if (constant == 0) return std::nullopt;
  if (constant == 1) return base;
  const DType type = this->type(base);
  if (constant) return map(ScalarOp::Pow, type, domain, {base, this->constant(type, *constant)});
  Node index = node(DType::I32, domain, pdg::IndexValue{exponent});
  index.shape.clear();
  Read steps = add(std::move(index));
  if (type != DType::I32) {
    Node cast = node(type, domain, pdg::Map{ScalarOp::Cast});
    cast.shape.clear();
    cast.inputs = {steps};
    steps = add(std::move(cast));
  }
  return map(ScalarOp::Pow, type, domain, {base, steps});
}

Read RecurrenceBuilder::merge(DType type, const pdg::Set& domain,
                              std::vector<pdg::Merge::Piece> pieces, std::vector<Read> inputs) {
  Node made = node(type, domain, pdg::Merge{std::move(pieces)});
  made.inputs = std::move(inputs);
  return add(std::move(made));
}

Read RecurrenceBuilder::reduce(DType type, const pdg::Set& domain, pdg::Reduce op,
                               std::vector<Read> inputs) {
  Node made = node(type, domain, std::move(op));
  made.inputs = std::move(inputs);
  return add(std::move(made));
}

Read RecurrenceBuilder::value(const Read& read, const Where& where, const pdg::Set& domain,
                              Var along, Var bound) {
  const bool ofBound = mentions(reduction_, read, bound),
             square = ofBound && mentions(reduction_, read, along);
  // There is no bound variable here: the value is the same for all of its range.
  const bool outside = ofBound && !where.contains(bound) && !contains(dims_, bound);
  if ((square || outside) && !hasValues(read)) {
    Node reader = reduction_;
    const Node original = graph_.node(read.producer);
    if (const Read* same = pdg::passedOn(original); same && outside)
      return value(compose(graph_, reader, read, *same), where, domain, along, bound);
    if (std::holds_alternative<pdg::Map>(original.op) && ++clones_ <= kMostClones) {
      std::vector<Read> operands;
      bool plain = true;
      for (int k = 0; k < original.dataInputs(); ++k) {
        operands.push_back(compose(graph_, reader, read, original.inputs[static_cast<size_t>(k)]));
        if (hasValues(operands.back())) plain = false;
      }
      if (plain) {
        for (Read& operand : operands) operand = value(operand, where, domain, along, bound);
        return map(std::get<pdg::Map>(original.op).op, original.type, domain, std::move(operands));
      }
    }
  }
  // Values of subscripts need a node that has them as inputs.
  Node alias = node(graph_.node(read.producer).type, domain, pdg::Merge{{{domain}}});
  alias.inputs.emplace_back();
  Read direct = composeWith(alias, reduction_, where, read);
  if (!hasValues(direct)) return direct;
  alias.inputs[0] = std::move(direct);
  return add(std::move(alias));
}

}  // namespace rlc::passes
