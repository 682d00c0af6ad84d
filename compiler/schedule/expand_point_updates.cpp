#include "compiler/schedule/expand_point_updates.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

using pdg::Node;
using pdg::Read;

// The nodes that say where an update is to happen, over as few of its indices as they need.
class Expansion {
 public:
  Expansion(Graph& graph, NodeId id) : graph_(graph), update_(graph.node(id)) {}

  Node select() {
    std::optional<Read> all;
    for (const auto& key : pdg::keysOf(update_)) {
      const Read test = isHere(key);
      all = all ? both(*all, test) : test;
    }
    Node choice = update_;
    choice.op = pdg::Map{ScalarOp::Select};
    choice.inputs = {*all, update_.inputs[1], update_.inputs[0]};
    choice.inputs.insert(choice.inputs.end(), update_.inputs.begin() + 2, update_.inputs.end());
    for (Read& read : choice.inputs)  // one operand more stands before what serves subscripts
      read = pdg::renumbered(read, [](int input) { return input + 1; });
    return choice;
  }

 private:
  Read add(pdg::Op op, DType type, const std::vector<Var>& over, std::vector<Read> inputs) {
    const auto varies = [&](Var var) { return contains(over, var); };
    Node node;
    node.span = update_.span;
    for (Var dim : update_.dims)
      if (varies(dim)) node.dims.push_back(dim);
    node.domain = update_.domain.projectOnto(node.dims);
    if (std::any_of(over.begin(), over.end(), [](Var var) { return var.isElement(); }))
      node.shape = update_.shape;
    node.type = type;
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    for (Read& read : node.inputs) pdg::tellOnly(read, pdg::readVariables(node));
    return pdg::identityRead(graph_.node(graph_.add(std::move(node))));
  }

  Read both(const Read& a, const Read& b) {
    return add(pdg::Map{ScalarOp::And}, DType::Bool, update_.variables(), {a, b});
  }

  static void collect(const Read& read, std::vector<Var>& vars) {
    for (const auto* exprs : {&read.at, &read.element})
      for (const IndexExpr& e : *exprs) e.collectVariables(vars);
  }

  // own == affine, or own - offset == a value.
  Read isHere(const pdg::PointUpdate::Key& key) {
    const auto index = [&](const IndexExpr& expr) {
      std::vector<Var> vars;
      expr.collectVariables(vars);
      return add(pdg::IndexValue{expr}, DType::I32, vars, {});
    };
    std::vector<Var> vars{key.own};
    if (!key.expr.hasValue()) {
      key.expr.collectVariables(vars);
      return add(pdg::Map{ScalarOp::Eq}, DType::Bool, vars, {index(key.own), index(key.expr)});
    }
    const Read& value = update_.inputs[static_cast<size_t>(pdg::valueInputs(key.expr).front())];
    const DType type = graph_.node(value.producer).type;
    // Subscripts of the value may take values of what stands behind the operands.
    const bool gathers = !pdg::valueInputs(value).empty();
    std::vector<Read> inputs = update_.inputs;
    if (!gathers) inputs.resize(2);
    inputs[0] = index(IndexExpr(key.own) - IndexExpr(key.expr.constantTerm()));
    if (type != DType::I32) inputs[0] = add(pdg::Map{ScalarOp::Cast}, type, {key.own}, {inputs[0]});
    inputs[1] = value;
    for (size_t k = 1; k < inputs.size(); ++k) collect(inputs[k], vars);
    return add(pdg::Map{ScalarOp::Eq}, DType::Bool, vars, std::move(inputs));
  }

  Graph& graph_;
  const Node update_;
};

}  // namespace

std::vector<NodeId> pointUpdatesOf(const Graph& graph) {
  std::vector<NodeId> result;
  for (const Node& node : graph.nodes())
    if (std::holds_alternative<pdg::PointUpdate>(node.op)) result.push_back(node.id);
  return result;
}

std::vector<CopiedUpdate> copiedUpdates(const Graph& graph, const Statements& statements,
                                        const std::vector<Storage>& storage) {
  std::vector<CopiedUpdate> result;
  for (const Statement& statement : statements.list) {
    if (statement.role != Statement::Role::Change) continue;
    const Node& node = graph.node(statement.node);
    const Read& through = node.inputs[static_cast<size_t>(statement.piece)];
    const Node& update = graph.node(through.producer);
    const Read& before = update.inputs[0];
    std::map<Var, IndexExpr> values;
    for (size_t k = 0; k < update.dims.size(); ++k) values[update.dims[k]] = through.at[k];
    for (size_t k = 0; k < node.dims.size(); ++k) {
      const DimStorage& dim = storage[static_cast<size_t>(node.id)].dims[k];
      if (before.at[k].substitute(values) == IndexExpr(node.dims[k]) || dim.extent == 1) continue;
      result.push_back(
          {node.id, update.id, node.dims[k], dim.extent,
           dim.keptBy < 0 ? -1 : statements.list[static_cast<size_t>(dim.keptBy)].node});
    }
  }
  return result;
}

std::vector<CopiedUpdate> unorderedUpdates(const Graph& graph, NodeId unordered) {
  std::vector<CopiedUpdate> result;
  for (const Node& node : graph.nodes())
    if (const auto* merge = std::get_if<pdg::Merge>(&node.op))
      for (size_t k = 0; k < merge->pieces.size(); ++k)
        if (const Node* update = pdg::pointUpdateOf(graph, node, static_cast<int>(k)))
          result.push_back({node.id, update->id, Var::dim(-1), 0, -1});
  for (const auto& component : pdg::components(graph)) {
    const auto isIn = [&](NodeId id) { return contains(component, id); };
    if (!isIn(unordered)) continue;
    const auto others = std::partition(result.begin(), result.end(),
                                       [&](const CopiedUpdate& each) { return isIn(each.update); });
    if (others != result.begin()) result.erase(others, result.end());
  }
  return result;
}

void expandPointUpdates(Graph& graph, const std::vector<NodeId>& updates) {
  for (NodeId id : updates) {
    Node choice = Expansion(graph, id).select();
    graph.node(id) = std::move(choice);
  }
}

}  // namespace rlc::schedule
