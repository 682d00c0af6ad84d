#include "compiler/passes/rewrite.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"
#include "compiler/polyhedral/index_expr_rewrite.h"

namespace rlc::passes {

bool sameRead(const Read& a, const Read& b) {
  const auto sameEnd = [](const pdg::PastEnd& x, const pdg::PastEnd& y) {
    return x.where == y.where;
  };
  return a.producer == b.producer && a.at == b.at && a.element == b.element &&
         std::equal(a.past.begin(), a.past.end(), b.past.begin(), b.past.end(), sameEnd);
}

std::vector<NodeId> producersFirst(const Graph& graph) {
  std::vector<NodeId> order;
  order.reserve(static_cast<size_t>(graph.size()));
  for (const auto& component : pdg::components(graph))
    order.insert(order.end(), component.begin(), component.end());
  return order;
}

namespace {

class Composer {
 public:
  Composer(Node& consumer, const Node& producer, const std::map<Var, IndexExpr>& values)
      : consumer_(consumer), producer_(producer), values_(values) {}

  Read compose(const Read& inner) {
    Read told{-1, {}, {}, inner.origin, inner.past};
    if (pdg::isChecked(told) || told.origin) moveFaults(told);
    return {inner.producer, compose(inner.at), compose(inner.element), std::move(told.origin),
            std::move(told.past)};
  }

 private:
  std::vector<IndexExpr> compose(const std::vector<IndexExpr>& exprs) {
    std::vector<IndexExpr> result;
    result.reserve(exprs.size());
    for (const IndexExpr& e : exprs) result.push_back(compose(e));
    return result;
  }

  IndexExpr compose(const IndexExpr& e) {
    // The producer's inputs take the consumer's numbers first: `values_` has them already.
    const IndexExpr own =
        e.hasValue() ? e.mapInputs([this](int input) { return imported(input); }) : e;
    return own.substitute(values_);
  }

  void moveFaults(Read& told) {
    std::vector<Var> known = pdg::readVariables(consumer_);  // what is not in `values_` stays
    for (const auto& [var, value] : values_) known.push_back(var);
    pdg::tellOnly(told, known);
    pdg::changeExprs(told, [this](const IndexExpr& e) { return compose(e); });
  }

  int imported(int input) {
    if (auto known = numbers_.find(input); known != numbers_.end()) return known->second;
    const Read read = compose(producer_.inputs[static_cast<size_t>(input)]);
    const int data = consumer_.dataInputs();
    int number = data;
    const int count = static_cast<int>(consumer_.inputs.size());
    while (number < count && !sameRead(consumer_.inputs[static_cast<size_t>(number)], read))
      ++number;
    if (number >= count) {
      number = count;
      consumer_.inputs.push_back(read);
    }
    numbers_[input] = number;
    return number;
  }

  Node& consumer_;
  const Node& producer_;
  const std::map<Var, IndexExpr>& values_;
  std::map<int, int> numbers_;
};

// Every expression that may have Value atoms.
template <typename Change>
void changeExprs(Node& node, const Change& change) {
  for (Read& read : node.inputs) pdg::changeExprs(read, change);
  if (auto* value = std::get_if<pdg::IndexValue>(&node.op)) value->expr = change(value->expr);
  if (auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
    for (pdg::Reduce::Key& key : reduce->keys) key.expr = change(key.expr);
    reduce->otherwise = change(reduce->otherwise);
  }
  if (auto* update = std::get_if<pdg::PointUpdate>(&node.op))
    for (pdg::Reduce::Key& key : update->keys) key.expr = change(key.expr);
}

}  // namespace

Read composeWith(Node& consumer, const Node& producer, const std::map<Var, IndexExpr>& values,
                 const Read& inner) {
  return Composer(consumer, producer, values).compose(inner);
}

Read compose(const Graph& graph, Node& consumer, const Read& outer, const Read& inner) {
  const Node& producer = graph.node(outer.producer);
  Read result = composeWith(consumer, producer, valuesOf(producer, outer), inner);
  if (!result.origin && pdg::isTested(result)) result.origin = outer.origin;
  result.past.insert(result.past.end(), outer.past.begin(), outer.past.end());
  return result;
}

bool hasValues(const Read& read) {
  auto has = [](const IndexExpr& e) { return e.hasValue(); };
  return !read.past.empty() || std::any_of(read.at.begin(), read.at.end(), has) ||
         std::any_of(read.element.begin(), read.element.end(), has);
}

void replaceValues(Node& node, const std::map<int, IndexExpr>& values) {
  if (values.empty()) return;
  auto replacement = [&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != IndexExpr::AtomKind::Value) return std::nullopt;
    auto found = values.find(atom.input);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
  changeExprs(node, [&](const IndexExpr& e) {
    return e.hasValue() ? polyhedral::rewrite(e, replacement) : e;
  });
}

void removePiece(Node& node, size_t piece) {
  auto& pieces = std::get<pdg::Merge>(node.op).pieces;
  const auto place = static_cast<std::ptrdiff_t>(piece);
  pieces.erase(pieces.begin() + place);
  node.inputs.erase(node.inputs.begin() + place);
  const int gone = static_cast<int>(piece);
  for (Read& read : node.inputs)
    read = pdg::renumbered(read, [&](int input) { return input > gone ? input - 1 : input; });
}

int dropUnusedInputs(Node& node) {
  const int data = node.dataInputs();
  const int count = static_cast<int>(node.inputs.size());
  if (count <= data) return 0;
  std::vector<bool> used(static_cast<size_t>(count));
  std::vector<int> pending;
  auto use = [&](int input) {
    if (used[static_cast<size_t>(input)]) return;
    used[static_cast<size_t>(input)] = true;
    pending.push_back(input);
  };
  auto useAll = [&](const std::vector<int>& inputs) {
    for (int input : inputs) use(input);
  };
  for (int k = 0; k < data; ++k) use(k);
  if (const auto* value = std::get_if<pdg::IndexValue>(&node.op))
    useAll(pdg::valueInputs(value->expr));
  for (const pdg::Reduce::Key& key : pdg::keysOf(node)) useAll(pdg::valueInputs(key.expr));
  if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op))
    useAll(pdg::valueInputs(reduce->otherwise));
  while (!pending.empty()) {
    const int input = pending.back();
    pending.pop_back();
    useAll(pdg::valueInputs(node.inputs[static_cast<size_t>(input)]));
  }
  std::vector<int> number(static_cast<size_t>(count), -1);
  std::vector<Read> kept;
  for (int k = 0; k < count; ++k) {
    if (!used[static_cast<size_t>(k)]) continue;
    number[static_cast<size_t>(k)] = static_cast<int>(kept.size());
    kept.push_back(std::move(node.inputs[static_cast<size_t>(k)]));
    pdg::tellOnly(kept.back(), [&](const IndexExpr& e) {
      const std::vector<int> inputs = pdg::valueInputs(e);
      return std::all_of(inputs.begin(), inputs.end(),
                         [&](int input) { return used[static_cast<size_t>(input)]; });
    });
  }
  const int dropped = count - static_cast<int>(kept.size());
  node.inputs = std::move(kept);
  if (dropped > 0) {
    changeExprs(node, [&](const IndexExpr& e) {
      if (!e.hasValue()) return e;
      return e.mapInputs([&](int input) { return number[static_cast<size_t>(input)]; });
    });
  }
  return dropped;
}

ConstantPool::ConstantPool(Graph& graph) : graph_(graph) {
  for (const Node& node : graph.nodes()) {
    const auto* constant = std::get_if<pdg::Constant>(&node.op);
    if (!constant || !node.shape.empty() || !node.dims.empty()) continue;
    const Scalar& value = constant->value.elements.front();
    nodes_.try_emplace({static_cast<int>(value.type), value.i}, node.id);
  }
}

NodeId ConstantPool::get(const Scalar& value) {
  auto [entry, isNew] = nodes_.try_emplace({static_cast<int>(value.type), value.i}, -1);
  if (isNew) {
    Node node;
    node.domain = pdg::Set::universe(graph_.context(), {});
    node.type = value.type;
    node.op = pdg::Constant{pdg::scalarTensor(value)};
    entry->second = graph_.add(std::move(node));
  }
  return entry->second;
}

void compact(Graph& graph, const std::vector<bool>& keep) {
  if (std::all_of(keep.begin(), keep.end(), [](bool kept) { return kept; })) return;
  std::vector<NodeId> number(keep.size(), -1);
  NodeId next = 0;
  for (size_t id = 0; id < keep.size(); ++id)
    if (keep[id]) number[id] = next++;
  auto renumber = [&](Read& read) { read.producer = number[static_cast<size_t>(read.producer)]; };

  Graph result(graph.context());
  for (int id = 0; id < graph.dimCount(); ++id) {
    pdg::Dim dim = graph.dim(Var::dim(id));
    if (dim.end >= 0) dim.end = number[static_cast<size_t>(dim.end)];
    result.addDim(std::move(dim));
  }
  result.params() = graph.params();
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!keep[static_cast<size_t>(id)]) continue;
    Node node = std::move(graph.node(id));
    for (Read& read : node.inputs) renumber(read);
    result.add(std::move(node));
  }
  result.sinks() = std::move(graph.sinks());
  for (pdg::Sink& sink : result.sinks()) {
    forEachLeaf(sink.value, renumber);
    if (sink.where) renumber(*sink.where);
  }
  graph = std::move(result);
}

std::string called(const std::vector<std::string>& displayNames, NodeId id) {
  const std::string& name = displayNames[static_cast<size_t>(id)];
  return name.empty() ? "a value" : "`" + name + "`";
}

}  // namespace rlc::passes
