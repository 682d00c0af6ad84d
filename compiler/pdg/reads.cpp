#include "compiler/pdg/reads.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/shape.h"
#include "compiler/types/lists.h"

namespace rlc::pdg {

Set elementDomain(const Node& node) {
  if (node.shape.empty()) return node.domain;
  std::vector<Var> vars = node.dims;
  Condition inShape = Condition::always();
  for (size_t axis = 0; axis < node.shape.size(); ++axis) {
    const Var element = Var::element(static_cast<int>(axis));
    vars.push_back(element);
    inShape = inShape && Condition::within(element, 0, node.shape[axis]);
  }
  return node.domain.extendTo(vars).intersect(inShape);
}

std::optional<BoundRange> boundRange(const Node& node) {
  if (const Draw* draw = std::get_if<Draw>(&node.op); draw && draw->kind == DrawKind::Categorical)
    return BoundRange{draw->category, draw->categories};
  if (const TreeUpdate* update = std::get_if<TreeUpdate>(&node.op))
    return BoundRange{update->entry, update->entries};
  if (const TreeFind* find = std::get_if<TreeFind>(&node.op))
    return BoundRange{find->node, find->nodes};
  return std::nullopt;
}

const std::vector<Reduce::Key>& keysOf(const Node& node) {
  static const std::vector<Reduce::Key> none;
  if (const Reduce* reduce = std::get_if<Reduce>(&node.op)) return reduce->keys;
  if (const PointUpdate* update = std::get_if<PointUpdate>(&node.op)) return update->keys;
  return none;
}

bool isKeyed(const Node& node, Var var) {
  const auto& keys = keysOf(node);
  return std::any_of(keys.begin(), keys.end(),
                     [&](const Reduce::Key& key) { return key.own == var; });
}

const Node* pointUpdateOf(const Graph& graph, const Node& node, int piece) {
  if (piece < 0) return nullptr;
  const Node& value = graph.node(node.inputs[static_cast<size_t>(piece)].producer);
  return std::holds_alternative<PointUpdate>(value.op) ? &value : nullptr;
}

std::vector<Var> boundVariables(const Node& node) {
  if (const Reduce* reduce = std::get_if<Reduce>(&node.op)) return reduce->bound;
  if (const auto range = boundRange(node)) return {range->var};
  return {};
}

std::vector<Var> readVariables(const Node& node) {
  std::vector<Var> vars = node.dims;
  for (Var element : elementVars(node)) vars.push_back(element);
  for (Var bound : boundVariables(node)) vars.push_back(bound);
  return vars;
}

namespace {

void collectValueInputs(const IndexExpr& expr, std::vector<int>& out) {
  for (const auto& term : expr.terms()) {
    if (term.atom->kind == IndexExpr::AtomKind::Value) {
      if (!contains(out, term.atom->input)) out.push_back(term.atom->input);
    }
    for (const IndexExpr& arg : term.atom->args) collectValueInputs(arg, out);
  }
}

bool mentionsInput(const Read& read, int input) {
  const std::vector<int> inputs = valueInputs(read);
  return contains(inputs, input);
}

Set dataReadDomain(const Node& node, int input) {
  const std::vector<Var> vars = readVariables(node);
  const Set own = elementDomain(node);
  if (const Merge* merge = std::get_if<Merge>(&node.op)) {
    const Merge::Piece& piece = merge->pieces.at(static_cast<size_t>(input));
    return own.intersect(piece.domain.extendTo(vars)).intersect(piece.element);
  }
  if (const Reduce* reduce = std::get_if<Reduce>(&node.op))
    return own.extendTo(vars).intersect(reduce->domain.extendTo(vars));
  if (const auto range = boundRange(node))
    return own.extendTo(vars).intersect(Condition::within(range->var, 0, range->extent));
  return own;
}

Set valueReadDomain(const Node& node, int input, int depth) {
  if (depth > static_cast<int>(node.inputs.size()))
    throw InternalError("the values that `" + node.name + "` reads depend on each other");
  Set result = Set::empty(node.domain.context(), readVariables(node));
  const int data = node.dataInputs();
  for (int user = 0; user < static_cast<int>(node.inputs.size()); ++user) {
    if (user == input || !mentionsInput(node.inputs[static_cast<size_t>(user)], input)) continue;
    result = result.unite(user < data ? dataReadDomain(node, user)
                                      : valueReadDomain(node, user, depth + 1));
  }
  for (const Reduce::Key& key : keysOf(node)) {
    std::vector<int> used = valueInputs(key.expr);
    if (contains(used, input)) result = result.unite(dataReadDomain(node, 0));
  }
  if (const IndexValue* value = std::get_if<IndexValue>(&node.op); value && value->expr.hasValue())
    result = result.unite(elementDomain(node));
  return result;
}

}  // namespace

std::optional<int64_t> pointsPastRange(const Graph& graph, const Set& domain, Var index) {
  const IndexExpr& end = graph.dim(index).hi;
  std::vector<Var> vars;
  end.collectVariables(vars);
  if (!std::all_of(vars.begin(), vars.end(), [&](Var var) { return contains(domain.vars(), var); }))
    return std::nullopt;
  const auto past = domain.maximum(IndexExpr(index) - end);
  return past && *past < INT64_MAX ? std::max<int64_t>(0, *past + 1) : 0;
}

int64_t pointsPastRange(const Graph& graph, const Node& node, Var index) {
  return pointsPastRange(graph, node.domain, index).value_or(kAllPoints);
}

const Read* passedOn(const Node& node) {
  const auto* merge = std::get_if<Merge>(&node.op);
  const bool alias =
      (merge && merge->pieces.size() == 1) || std::holds_alternative<Detach>(node.op);
  return alias ? &node.inputs[0] : nullptr;
}

Set readDomain(const Node& node, int input) {
  return input < node.dataInputs() ? dataReadDomain(node, input) : valueReadDomain(node, input, 0);
}

Set imageOf(const Graph& graph, const Set& where, const std::vector<IndexExpr>& at,
            const std::vector<Var>& vars) {
  // `where` may have some of the variables itself.
  std::vector<Var> fresh;
  std::map<Var, Var> own;
  for (Var var : vars) {
    fresh.push_back(Var::dim(graph.dimCount() + static_cast<int>(fresh.size())));
    own[fresh.back()] = var;
  }
  return Set::access(where, at, fresh).projectOnto(fresh).rename(own);
}

Set pointsRead(const Graph& graph, const Node& node, int input) {
  const Read& read = node.inputs[static_cast<size_t>(input)];
  return imageOf(graph, readDomain(node, input), read.at, graph.node(read.producer).dims);
}

namespace {

// The variables that follow from the point that is read: those that are an index but for an offset,
// and those beside which an index has only such: u, then i, of [i - 2 u, u].
std::set<Var> toldBy(const Read& read) {
  std::set<Var> told;
  for (size_t before = 0; true; before = told.size()) {
    for (const auto* exprs : {&read.at, &read.element})
      for (const IndexExpr& e : *exprs) {
        if (!e.isLinear()) continue;
        std::vector<Var> vars;
        e.collectVariables(vars);
        std::erase_if(vars, [&](Var var) { return told.contains(var); });
        if (vars.size() == 1) told.insert(vars[0]);
      }
    if (told.size() == before) return told;
  }
}

}  // namespace

bool readsEachPointOnce(const Node& consumer, int input) {
  const Read& read = consumer.inputs[static_cast<size_t>(input)];
  const Merge* merge = std::get_if<Merge>(&consumer.op);
  const bool isPiece = merge && static_cast<size_t>(input) < merge->pieces.size();
  const std::set<Var> seen = toldBy(read);
  for (Var var : consumer.variables()) {
    if (var.isElement()) {
      const auto extent = consumer.shape[static_cast<size_t>(var.elementAxis())].asConstant();
      if (extent && *extent == 1) continue;
    }
    if (seen.contains(var)) continue;
    // An equation at a constant point runs once along that index.
    if (!isPiece || var.isElement()) return false;
    const Set& domain = merge->pieces[static_cast<size_t>(input)].domain;
    if (domain.minimum(IndexExpr(var)) != domain.maximum(IndexExpr(var))) return false;
  }
  return true;
}

const IndexExpr* positionAlong(const Graph& graph, const Read& read, Var index) {
  const auto& dims = graph.node(read.producer).dims;
  const auto place = std::find(dims.begin(), dims.end(), index);
  return place == dims.end() ? nullptr : &read.at[static_cast<size_t>(place - dims.begin())];
}

bool runsAlong(const Node& node, const std::vector<Var>& indices) {
  return std::all_of(indices.begin(), indices.end(),
                     [&](Var index) { return contains(node.dims, index); });
}

std::vector<int> valueInputs(const IndexExpr& expr) {
  std::vector<int> inputs;
  collectValueInputs(expr, inputs);
  return inputs;
}

std::vector<int> valueInputs(const Read& read) {
  std::vector<int> inputs;
  for (const IndexExpr& expr : read.at) collectValueInputs(expr, inputs);
  for (const IndexExpr& expr : read.element) collectValueInputs(expr, inputs);
  for (const PastEnd& past : read.past)
    for (const IndexExpr& expr : past.where) collectValueInputs(expr, inputs);
  return inputs;
}

std::vector<int> allValueInputs(const Node& node, int input) {
  std::vector<int> inputs = valueInputs(node.inputs[static_cast<size_t>(input)]);
  for (size_t next = 0; next < inputs.size(); ++next)
    for (const int value : valueInputs(node.inputs[static_cast<size_t>(inputs[next])]))
      if (!contains(inputs, value)) inputs.push_back(value);
  return inputs;
}

bool hasUnboundedValue(const IndexExpr& expr) {
  for (const auto& term : expr.terms()) {
    if (term.atom->kind == IndexExpr::AtomKind::Value && (!term.atom->lo || !term.atom->hi))
      return true;
    for (const IndexExpr& arg : term.atom->args)
      if (hasUnboundedValue(arg)) return true;
  }
  return false;
}

bool isTested(const Read& read) {
  return std::any_of(read.at.begin(), read.at.end(), hasUnboundedValue) ||
         std::any_of(read.element.begin(), read.element.end(), hasUnboundedValue);
}

bool isChecked(const Read& read) { return !read.past.empty() || isTested(read); }

namespace {

bool isOperandAlwaysRead(const Node& node, size_t input) {
  if (const auto* map = std::get_if<Map>(&node.op))
    return map->op != ScalarOp::Select || input == 0;
  if (const auto* reduce = std::get_if<Reduce>(&node.op))
    return input != 0 || (!reduce->hasFilter && !reduce->domain.isEmpty());
  if (const auto* merge = std::get_if<Merge>(&node.op))
    return !merge->pieces[input].domain.isEmpty();
  return true;
}

}  // namespace

bool isAlwaysRead(const Node& node, size_t input) {
  const auto operands = static_cast<size_t>(node.dataInputs());
  if (input < operands) return isOperandAlwaysRead(node, input);
  // What says where another is read.
  bool serves = false;
  for (size_t k = 0; k < operands; ++k) {
    const std::vector<int> values = allValueInputs(node, static_cast<int>(k));
    if (!contains(values, static_cast<int>(input))) continue;
    if (isOperandAlwaysRead(node, k)) return true;
    serves = true;
  }
  const auto* reduce = std::get_if<Reduce>(&node.op);
  const bool filtersKeys = reduce && reduce->hasFilter && !reduce->keys.empty();
  return !serves && !filtersKeys;
}

namespace {

// Changes what is told of the read's faults.
void changeOrigins(Read& read,
                   const std::function<void(std::vector<ReadOrigin::Coordinate>&)>& change) {
  const auto changed = [&](std::shared_ptr<const ReadOrigin>& own) {
    if (!own) return;
    ReadOrigin origin = *own;
    change(origin.point);
    own = std::make_shared<const ReadOrigin>(std::move(origin));
  };
  changed(read.origin);
  for (PastEnd& past : read.past) changed(past.origin);
}

}  // namespace

void changeExprs(Read& read, const std::function<IndexExpr(const IndexExpr&)>& change) {
  for (auto* exprs : {&read.at, &read.element})
    for (IndexExpr& e : *exprs) e = change(e);
  for (PastEnd& past : read.past)
    for (IndexExpr& e : past.where) e = change(e);
  changeOrigins(read, [&](auto& point) {
    for (ReadOrigin::Coordinate& coordinate : point) coordinate.value = change(coordinate.value);
  });
}

void tellOnly(Read& read, const std::function<bool(const IndexExpr&)>& known) {
  changeOrigins(read, [&](auto& point) {
    std::erase_if(point, [&](const ReadOrigin::Coordinate& c) { return !known(c.value); });
  });
}

void tellOnly(Read& read, const std::vector<Var>& scope) {
  tellOnly(read, [&](const IndexExpr& e) {
    std::vector<Var> used;
    e.collectVariables(used);
    return std::all_of(used.begin(), used.end(), [&](Var var) { return contains(scope, var); });
  });
}

Read renumbered(const Read& read, const std::function<int(int)>& number) {
  Read result = read;
  changeExprs(result, [&](const IndexExpr& e) { return e.hasValue() ? e.mapInputs(number) : e; });
  return result;
}

std::map<Var, IndexExpr> valuesOf(const Node& producer, const Read& read) {
  std::map<Var, IndexExpr> values;
  for (size_t k = 0; k < producer.dims.size(); ++k) values.emplace(producer.dims[k], read.at[k]);
  for (size_t k = 0; k < read.element.size(); ++k)
    values.emplace(Var::element(static_cast<int>(k)), read.element[k]);
  return values;
}

std::optional<Read> readThrough(const Node& node, const Read& outer, const Read& inner) {
  Read result{inner.producer, {}, {}};
  const std::map<Var, IndexExpr> values = valuesOf(node, outer);
  for (auto [from, to] :
       {std::pair(&inner.at, &result.at), std::pair(&inner.element, &result.element)})
    for (const IndexExpr& e : *from) {
      if (e.hasValue()) return std::nullopt;
      to->push_back(e.substitute(values));
    }
  return result;
}

void forEachExpr(const Node& node, const std::function<void(const IndexExpr&)>& visit) {
  for (const Read& read : node.inputs) {
    for (const IndexExpr& expr : read.at) visit(expr);
    for (const IndexExpr& expr : read.element) visit(expr);
    for (const PastEnd& past : read.past)
      for (const IndexExpr& expr : past.where) visit(expr);
  }
  for (const IndexExpr& extent : node.shape) visit(extent);
  if (const IndexValue* value = std::get_if<IndexValue>(&node.op)) visit(value->expr);
  for (const Reduce::Key& key : keysOf(node)) visit(key.expr);
  if (const Reduce* reduce = std::get_if<Reduce>(&node.op)) visit(reduce->otherwise);
}

Read identityRead(const Node& producer) {
  return {producer.id, identity(producer.dims), identity(elementVars(producer))};
}

}  // namespace rlc::pdg
