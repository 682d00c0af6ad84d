#include "compiler/autodiff/adjoints.h"

#include <algorithm>

#include "compiler/autodiff/order.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

namespace {

size_t at(NodeId id) { return static_cast<size_t>(id); }

bool contains(const std::vector<Var>& vars, Var var) { return std::find(vars.begin(), vars.end(), var) != vars.end(); }

std::vector<Var> joined(std::vector<Var> a, const std::vector<Var>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Adjoints::Adjoints(Tools& tools, const Group& group, const Paths& paths, std::string lossName)
    : tools_(tools), graph_(tools.graph), group_(group), paths_(paths), loss_name_(std::move(lossName)),
      first_made_(tools.graph.size()) {
  chooseParams();
  findGuarded();
}

void Adjoints::chooseParams() {
  std::vector<Var> used;
  for (const IndexExpr& e : group_.loss.at) e.collectVariables(used);
  for (const IndexExpr& e : group_.loss.element) e.collectVariables(used);
  std::map<Var, Var> names;
  int hidden = 0;
  for (Var dim : group_.dims) {
    const Axis* axis = nullptr;
    for (const Axis& candidate : paths_.axes()) {
      const auto position = candidate.loss.asShifted();
      if (candidate.matched && position && position->var == dim) axis = &candidate;
    }
    Var stand = scratch(100 + hidden++);
    if (axis) {
      eliminated_.push_back({stand, axis, axis->loss.constantTerm()});
    } else if (contains(used, dim)) {
      pdg::Dim made = graph_.dim(dim);
      made.name += "'";
      made.end = -1;
      stand = graph_.addDim(std::move(made));
      params_.push_back(stand);
      param_dims_.push_back(dim);
    }
    names[dim] = stand;
    renamed_.emplace(dim, IndexExpr(stand));
  }
  points_ = group_.domain.rename(names);

  std::vector<std::pair<int64_t, int64_t>> box;
  std::vector<IndexExpr> lo, hi;
  for (Var var : points_.vars()) {
    const auto least = points_.minimum(var), most = points_.maximum(var);
    if (!least || *least == INT64_MIN || *most == INT64_MAX) return;
    box.emplace_back(*least, *most + 1);
    lo.push_back(*least);
    hi.push_back(*most + 1);
  }
  if (Set::box(graph_.context(), points_.vars(), lo, hi).isEqual(points_)) box_ = std::move(box);
}

// What selections read, and what that is made of.
void Adjoints::findGuarded() {
  guarded_.resize(at(graph_.size()));
  std::vector<NodeId> pending;
  auto reach = [&](NodeId id) {
    if (guarded_[at(id)] || !paths_.on(id)) return;
    guarded_[at(id)] = true;
    pending.push_back(id);
  };
  for (const Edge& edge : paths_.edges()) {
    const pdg::Map* map = std::get_if<pdg::Map>(&graph_.node(edge.consumer).op);
    const pdg::Reduce* reduce = std::get_if<pdg::Reduce>(&graph_.node(edge.consumer).op);
    const bool selects = (map && (map->op == ScalarOp::Select || map->op == ScalarOp::Min || map->op == ScalarOp::Max)) ||
                         (reduce && reduce->hasFilter);
    if (selects && paths_.live(edge)) reach(edge.producer);
  }
  while (!pending.empty()) {
    const Node& node = graph_.node(pending.back());
    pending.pop_back();
    for (const pdg::Read& read : node.inputs) reach(read.producer);
  }
}

std::vector<Var> Adjoints::dimsOf(const Node& node) const { return joined(params_, node.dims); }

// The points of the node that may lie between the loss and what it is differentiated by.
Set Adjoints::reachOf(const Node& node) const {
  Substitution where;  // the group's variables that the position of the node determines
  std::vector<std::pair<Var, IndexExpr>> determined;
  for (const Eliminated& e : eliminated_) {
    const IndexExpr value = *e.axis->position[at(node.id)] - e.offset;
    where.emplace(e.dim, value);
    determined.emplace_back(e.dim, value);
  }
  Condition condition = Condition::always();
  for (const Axis& axis : paths_.axes()) {
    if (!axis.position[at(node.id)]) continue;
    const IndexExpr position = *axis.position[at(node.id)];
    const IndexExpr loss = axis.loss.substitute(renamed_).substitute(where);
    if (axis.matched || axis.sign == 0) {
      condition = condition && Condition::equal(position, loss);
      continue;
    }
    const int64_t sign = axis.sign;
    condition = condition && Condition::nonNegative((position - loss) * sign);
    if (axis.target)
      condition = condition && Condition::nonNegative((axis.target->substitute(renamed_).substitute(where) - position) * sign);
  }
  const std::vector<Var> dims = dimsOf(node);
  std::vector<Var> mentioned;
  condition.collectVariables(mentioned);
  const bool plain = box_ && std::all_of(mentioned.begin(), mentioned.end(), [&](Var v) { return contains(dims, v); });
  if (plain) {
    for (size_t i = 0; i < points_.vars().size(); ++i) {
      const Var var = points_.vars()[i];
      const auto found = where.find(var);
      if (found == where.end() && !contains(params_, var)) continue;
      condition = condition && Condition::within(found == where.end() ? IndexExpr(var) : found->second,
                                                 (*box_)[i].first, (*box_)[i].second);
    }
    return node.domain.extendTo(dims).intersect(condition);
  }
  Set all = points_.join(node.domain).intersect(condition);
  for (const auto& [var, value] : determined) all = all.intersect(Condition::equal(var, value));
  return all.projectOnto(dims);
}

Set Adjoints::shapeSet(const Node& node, const Set& domain) const {
  Condition inShape = Condition::always();
  const std::vector<Var> elements = pdg::elementVars(node);
  for (size_t axis = 0; axis < elements.size(); ++axis)
    inShape = inShape && Condition::within(elements[axis], 0, node.shape[axis]);
  return domain.extendTo(joined(dimsOf(node), elements)).intersect(inShape);
}

void Adjoints::run() {
  const std::vector<NodeId> nodes = paths_.nodes();
  std::vector<int> position(at(graph_.size()), -1);
  for (size_t i = 0; i < nodes.size(); ++i) position[at(nodes[i])] = static_cast<int>(i);
  std::vector<std::vector<int>> consumers(nodes.size());
  for (const Edge& edge : paths_.edges())
    if (paths_.live(edge)) consumers[static_cast<size_t>(position[at(edge.producer)])].push_back(position[at(edge.consumer)]);
  adjoints_.resize(at(graph_.size()));

  auto id = [&](int i) { return nodes[static_cast<size_t>(i)]; };
  auto rank = [&](int i) {
    const Node& node = graph_.node(id(i));
    const bool merge = std::holds_alternative<pdg::Merge>(node.op);
    return merge && !node.name.empty() ? 0 : merge ? 1 : 2;
  };
  for (std::vector<int>& component : stronglyConnected(consumers)) {
    const std::vector<int>& first = consumers[static_cast<size_t>(component[0])];
    if (component.size() == 1 && std::find(first.begin(), first.end(), component[0]) == first.end()) {
      finish(id(component[0]), false);
      continue;
    }
    // The tensors of a recurrence close its cycles.
    std::sort(component.begin(), component.end());
    std::stable_sort(component.begin(), component.end(), [&](int a, int b) { return rank(a) < rank(b); });
    const CutOrder order = cutCycles(component, consumers);
    for (int i : order.declared) declare(id(i));
    for (int i : order.order)
      finish(id(i), std::find(order.declared.begin(), order.declared.end(), i) != order.declared.end());
  }
}

void Adjoints::declare(NodeId id) {
  const Node node = graph_.node(id);
  const Set domain = reachOf(node);
  const NodeId made = add(node, domain, pdg::Merge{}, {}, -1);
  adjoints_[at(id)] = Adjoint{dimsOf(node), domain, selfOf(graph_.node(made))};
}

void Adjoints::finish(NodeId id, bool declared) {
  const Node node = graph_.node(id);
  std::vector<Part> parts = id == group_.loss.producer ? seeds(node) : std::vector<Part>{};
  for (int number : paths_.readersOf(id)) {
    const Edge& edge = paths_.edges()[static_cast<size_t>(number)];
    if (!paths_.live(edge)) continue;
    if (auto part = partOf(edge)) parts.push_back(std::move(*part));
  }
  if (declared) {
    const Adjoint own = *adjoints_[at(id)];
    const NodeId target = own.source.read.producer;
    if (std::none_of(node.dims.begin(), node.dims.end(), [&](Var dim) { return graph_.dim(dim).end >= 0; })) {
      combine(node, own.domain, std::move(parts), target);
      return;
    }
    const Source whole = combine(node, own.domain, std::move(parts), -1);
    const Source ended = untilEnd(node, {own.dims, own.domain, node.shape, node.span}, whole);
    mergeRow(node, own.domain, {Part{own.domain, Condition::always(), ended}}, target);
    return;
  }
  if (parts.empty()) return;
  Set domain = parts[0].domain;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].domain.isSubset(domain)) continue;
    domain = domain.isSubset(parts[i].domain) ? parts[i].domain : domain.unite(parts[i].domain).coalesce();
  }
  const Source source = combine(node, domain, std::move(parts), -1);
  adjoints_[at(id)] = Adjoint{dimsOf(node), domain, source};
}

// 1 where the loss is read.
std::vector<Adjoints::Part> Adjoints::seeds(const Node& node) {
  std::vector<IndexExpr> where;
  for (const IndexExpr& e : group_.loss.at) where.push_back(e.substitute(renamed_));
  for (const IndexExpr& e : group_.loss.element) where.push_back(e.substitute(renamed_));
  const std::vector<Var> outs = joined(node.dims, pdg::elementVars(node));
  const Set points = Set::access(points_, where, outs).projectOnto(joined(params_, outs));
  if (points.isEmpty()) return {};
  return {part(node, points, tools_.constants.number(1, node.type))};
}

std::optional<Source> Adjoints::operandAdjoint(const Edge& edge, const Node& consumer, const Adjoint& adjoint) {
  if (std::holds_alternative<pdg::Map>(consumer.op))
    return mapOperand(tools_, consumer, edge.input, adjoint, guarded_[at(consumer.id)]);
  if (std::holds_alternative<pdg::Reduce>(consumer.op)) return reduceOperand(tools_, consumer, adjoint);
  if (std::holds_alternative<pdg::Sort>(consumer.op)) return sortOperand(tools_, consumer, adjoint);
  if (std::holds_alternative<pdg::Merge>(consumer.op)) return adjoint.source;
  throw InternalError("a gradient passes through an operation that has no rule");
}

std::optional<Adjoints::Part> Adjoints::partOf(const Edge& edge) {
  if (!adjoints_[at(edge.consumer)]) return std::nullopt;
  Adjoint adjoint = *adjoints_[at(edge.consumer)];
  if (auto value = tools_.constants.valueOf(adjoint.source); value == 0.0) return std::nullopt;
  const Node consumer = graph_.node(edge.consumer);
  const Read& read = consumer.inputs[static_cast<size_t>(edge.input)];
  const std::vector<Var> vars = joined(params_, pdg::readVariables(consumer));
  Set where =
      pdg::readDomain(consumer, edge.input).extendTo(vars).intersect(adjoint.domain.extendTo(vars));
  if (where.isEmpty()) return std::nullopt;
  const pdg::Reduce* reduce = std::get_if<pdg::Reduce>(&consumer.op);
  if (reduce && !reduce->keys.empty()) {  // it is read where the data say
    adjoint = padded(consumer, adjoint);
    where = pdg::readDomain(consumer, edge.input).extendTo(vars).intersect(adjoint.domain.extendTo(vars));
  }
  Inverse inverse = invert(graph_, tools_.ranges, consumer, read, params_, where, paths_.kept(edge),
                           reduce ? reduce->keys : std::vector<pdg::Reduce::Key>{});
  if (inverse.domain.isEmpty()) return std::nullopt;
  std::optional<Source> own = operandAdjoint(edge, consumer, adjoint);
  if (!reduce) own = untilEnd(consumer, {adjoint.dims, adjoint.domain, consumer.shape, consumer.span}, *own);
  if (!own || tools_.constants.valueOf(*own) == 0.0) return std::nullopt;

  std::vector<Read> values;
  const bool hasValues = std::any_of(consumer.inputs.begin(), consumer.inputs.end(),
                                     [](const Read& r) { return !pdg::valueInputs(r).empty(); }) ||
                         (reduce && !reduce->keys.empty());
  if (hasValues)
    for (const Read& input : consumer.inputs) values.push_back(substitute(input, inverse.consumer));
  const Source source = substitute(*own, inverse.consumer, values);
  const Node producer = graph_.node(edge.producer);
  if (inverse.bound.empty() && inverse.keys.empty()) return part(producer, inverse.domain, source);
  return sum(producer, std::move(inverse), source, values);
}

// Nothing past the end of an index that ends on a condition: the tensors have no values there.
Source Adjoints::untilEnd(const Node& node, const Space& space, Source source) {
  if (tools_.constants.valueOf(source) == 0.0) return source;
  Emitter emit(graph_, tools_.constants, space);
  for (Var dim : node.dims) {
    const NodeId end = graph_.dim(dim).end;
    if (end < 0) continue;
    const std::vector<Var> over = graph_.node(end).dims;
    if (!std::all_of(over.begin(), over.end(), [&](Var v) { return contains(node.dims, v); })) continue;
    // x[s+1] = ... defines one point more than the declared range has; so it does at the end.
    const int64_t past = node.domain.maximum(IndexExpr(dim) - graph_.dim(dim).hi).value_or(-1);
    const Source position = emit.index(IndexExpr(dim) - std::max<int64_t>(0, past + 1));
    source = emit.select(emit.less(position, selfOf(graph_.node(end))), source, emit.zeroLike(source));
  }
  return source;
}

Adjoints::Part Adjoints::part(const Node& node, const Set& points, const Source& source) {
  const Set domain = points.projectOnto(dimsOf(node));
  if (node.shape.empty()) return {domain, Condition::always(), source};
  const Set all = shapeSet(node, domain);
  if (all.isSubset(points)) return {domain, Condition::always(), source};
  if (auto element = points.gist(all).toCondition()) return {domain, *element, source};
  Inverse inverse;
  inverse.domain = points;
  return sum(node, std::move(inverse), source, {});
}

Adjoints::Part Adjoints::sum(const Node& node, Inverse inverse, const Source& source, const std::vector<Read>& values) {
  const std::vector<Var> dims = dimsOf(node), elements = pdg::elementVars(node);
  if (inverse.bound.empty()) {  // one term, or none
    const Var only = tools_.ranges.standIn(Var::element(0), dims);
    inverse.domain = inverse.domain.extendTo(joined(inverse.domain.vars(), {only})).intersect(Condition::equal(only, 0));
    inverse.bound.push_back(only);
  }
  const Set domain = inverse.domain.projectOnto(dims);
  pdg::Reduce reduce;
  reduce.kind = pdg::ReduceKind::Sum;
  reduce.bound = inverse.bound;
  reduce.keys = inverse.keys;
  reduce.domain = inverse.domain.projectOnto(joined(joined(dims, elements), inverse.bound));
  if (!elements.empty()) {
    const Set narrow = inverse.domain.projectOnto(joined(dims, inverse.bound));
    const Set wide = narrow.extendTo(reduce.domain.vars()).intersect(shapeSet(node, domain).extendTo(reduce.domain.vars()));
    if (wide.isSubset(reduce.domain)) reduce.domain = narrow;
  }
  std::vector<IndexExpr*> keys;
  for (auto& key : reduce.keys) keys.push_back(&key.expr);
  std::vector<Read> inputs = inputsOf({source}, keys, values);
  const NodeId made = add(node, domain, std::move(reduce), std::move(inputs), -1);
  return {domain, Condition::always(), selfOf(graph_.node(made))};
}

// Parts with the same points are added up on these.
std::vector<Adjoints::Part> Adjoints::addEqual(const Node& node, std::vector<Part> parts) {
  constexpr size_t kCompared = 8;
  std::vector<Part> result;
  for (Part& part : parts) {
    const auto same = std::find_if(result.rbegin(), result.rbegin() + static_cast<std::ptrdiff_t>(std::min(kCompared, result.size())),
                                   [&](const Part& other) {
                                     return part.element == Condition::always() && other.element == part.element &&
                                            other.domain.isEqual(part.domain);
                                   });
    if (same == result.rbegin() + static_cast<std::ptrdiff_t>(std::min(kCompared, result.size()))) {
      result.push_back(std::move(part));
      continue;
    }
    Emitter emit(graph_, tools_.constants, {dimsOf(node), part.domain, node.shape, node.span});
    same->source = emit.add(same->source, part.source);
  }
  return result;
}

// Parts that nowhere overlap make one merge; merges are added up.
Source Adjoints::combine(const Node& node, const Set& domain, std::vector<Part> parts, NodeId target) {
  struct Row {
    std::vector<Part> parts;
    std::vector<Set> points;
  };
  std::vector<Row> rows;
  for (Part& part : addEqual(node, std::move(parts))) {
    const Set points = shapeSet(node, part.domain).intersect(part.element);
    auto free = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return std::all_of(row.points.begin(), row.points.end(), [&](const Set& s) { return s.isDisjoint(points); });
    });
    if (free == rows.end()) free = rows.insert(rows.end(), Row{});
    free->points.push_back(points);
    free->parts.push_back(std::move(part));
  }
  if (rows.empty()) rows.emplace_back();
  if (rows.size() == 1) return mergeRow(node, domain, rows[0].parts, target);
  Emitter emit(graph_, tools_.constants, {dimsOf(node), domain, node.shape, node.span});
  Source total = mergeRow(node, domain, rows[0].parts, -1);
  for (size_t i = 1; i < rows.size(); ++i) total = emit.add(total, mergeRow(node, domain, rows[i].parts, -1));
  if (target < 0) {
    nameAfter(total, node);
    return total;
  }
  return mergeRow(node, domain, {Part{domain, Condition::always(), total}}, target);
}

Source Adjoints::mergeRow(const Node& node, const Set& domain, const std::vector<Part>& row, NodeId target) {
  const bool whole = std::all_of(row.begin(), row.end(), [](const Part& p) { return p.element == Condition::always(); });
  pdg::Merge merge;
  std::vector<Source> sources;
  Set rest = whole ? domain : shapeSet(node, domain);
  for (const Part& part : row) {
    const Set own = part.domain.intersect(domain);
    rest = rest.subtract(whole ? own : shapeSet(node, own).intersect(part.element));
    merge.pieces.push_back({own, part.element});
    sources.push_back(part.source);
  }
  if (!rest.isEmpty()) {
    const Set outside = whole ? rest.coalesce() : rest.projectOnto(domain.vars()).coalesce();
    Condition element = Condition::always();
    if (!whole) {
      const auto condition = rest.gist(shapeSet(node, outside)).toCondition();
      if (!condition) throw InternalError("the elements that a gradient does not reach have no formula");
      element = *condition;
    }
    merge.pieces.push_back({outside, element});
    sources.push_back(tools_.constants.number(0, node.type));
  }
  if (target < 0 && sources.size() == 1) {
    nameAfter(sources[0], node);
    return sources[0];
  }
  std::vector<Read> inputs = inputsOf(sources);
  return selfOf(graph_.node(add(node, domain, std::move(merge), std::move(inputs), target)));
}

NodeId Adjoints::add(const Node& like, const Set& domain, pdg::Op op, std::vector<Read> inputs, NodeId target) {
  if (target >= 0) {
    graph_.node(target).op = std::move(op);
    graph_.node(target).inputs = std::move(inputs);
    return target;
  }
  Node made;
  made.name = nameOf(like);
  made.span = like.span;
  made.dims = dimsOf(like);
  made.domain = domain;
  made.type = like.type;
  made.shape = like.shape;
  made.op = std::move(op);
  made.inputs = std::move(inputs);
  return graph_.add(std::move(made));
}

// A node of ours without a name that holds just the adjoint is called after it.
void Adjoints::nameAfter(const Source& adjoint, const Node& node) {
  Node& own = graph_.node(adjoint.read.producer);
  if (own.id < first_made_ || !own.name.empty() || std::holds_alternative<pdg::Constant>(own.op)) return;
  if (own.dims == dimsOf(node) && adjoint.read.at == pdg::identity(own.dims) && own.shape == node.shape)
    own.name = nameOf(node);
}

std::string Adjoints::nameOf(const Node& node) const {
  if (node.name.empty()) return "";
  const bool nested = node.name.starts_with("∂");
  return "∂" + loss_name_ + "/∂" + (nested ? "(" + node.name + ")" : node.name);
}

// The adjoint over all points of the node: for reads whose points are known at run time only.
Adjoint Adjoints::padded(const Node& node, const Adjoint& adjoint) {
  const Set all = points_.join(node.domain).projectOnto(adjoint.dims);
  if (all.isSubset(adjoint.domain)) return adjoint;
  return {adjoint.dims, all, mergeRow(node, all, {Part{adjoint.domain, Condition::always(), adjoint.source}}, -1)};
}

void Adjoints::replace(NodeId id) {
  const Node grad = graph_.node(id);
  const Read& read = grad.inputs[1];
  const Source none = tools_.constants.number(0, grad.type);
  pdg::Merge merge;
  std::vector<Source> sources;
  Set rest = grad.domain;
  if (paths_.on(read.producer) && adjoints_[at(read.producer)]) {
    const bool gathers = !pdg::valueInputs(read).empty();
    const Node target = graph_.node(read.producer);
    const Adjoint adjoint = gathers ? padded(target, *adjoints_[at(target.id)]) : *adjoints_[at(target.id)];
    Substitution where;
    std::vector<IndexExpr> point;
    for (size_t i = 0; i < params_.size(); ++i) where.emplace(params_[i], IndexExpr(param_dims_[i]));
    for (size_t i = 0; i < target.dims.size(); ++i) where.emplace(target.dims[i], read.at[i]);
    for (Var var : adjoint.domain.vars()) point.push_back(where.at(var));
    const Set covered = gathers ? grad.domain : adjoint.domain.preimage(grad.domain, point);
    if (!covered.isEmpty()) {
      merge.pieces.push_back({covered, Condition::always()});
      sources.push_back(gathers ? substitute(adjoint.source, where, grad.inputs) : substitute(adjoint.source, where));
      rest = rest.subtract(covered).coalesce();
    }
  }
  if (!rest.isEmpty() || merge.pieces.empty()) {
    merge.pieces.push_back({rest, Condition::always()});
    sources.push_back(none);
  }
  graph_.node(id).inputs = inputsOf(sources);
  graph_.node(id).op = std::move(merge);
}

}  // namespace rlc::autodiff
