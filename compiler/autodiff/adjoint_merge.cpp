// Parts of an adjoint made into one tensor, and gradients into reads of it.
#include <algorithm>

#include "compiler/autodiff/adjoints.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

// Parts with the same points are added up on these.
std::vector<Adjoints::Part> Adjoints::addEqual(const Node& node, std::vector<Part> parts) {
  constexpr size_t kCompared = 8;
  std::vector<Part> result;
  for (Part& part : parts) {
    const auto same = std::find_if(
        result.rbegin(),
        result.rbegin() + static_cast<std::ptrdiff_t>(std::min(kCompared, result.size())),
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
Source Adjoints::combine(const Node& node, const Set& domain, std::vector<Part> parts,
                         NodeId target) {
  struct Row {
    std::vector<Part> parts;
    std::vector<Set> points;
  };
  std::vector<Row> rows;
  for (Part& part : addEqual(node, std::move(parts))) {
    const Set points = shapeSet(node, part.domain).intersect(part.element);
    auto free = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return std::all_of(row.points.begin(), row.points.end(),
                         [&](const Set& s) { return s.isDisjoint(points); });
    });
    if (free == rows.end()) free = rows.insert(rows.end(), Row{});
    free->points.push_back(points);
    free->parts.push_back(std::move(part));
  }
  if (rows.empty()) rows.emplace_back();
  if (rows.size() == 1) return mergeRow(node, domain, rows[0].parts, target);
  Emitter emit(graph_, tools_.constants, {dimsOf(node), domain, node.shape, node.span});
  Source total = mergeRow(node, domain, rows[0].parts, -1);
  for (size_t i = 1; i < rows.size(); ++i)
    total = emit.add(total, mergeRow(node, domain, rows[i].parts, -1));
  if (target < 0) {
    nameAfter(total, node);
    return total;
  }
  return mergeRow(node, domain, {Part{domain, Condition::always(), total}}, target);
}

Source Adjoints::mergeRow(const Node& node, const Set& domain, const std::vector<Part>& row,
                          NodeId target) {
  const bool whole = std::all_of(row.begin(), row.end(),
                                 [](const Part& p) { return p.element == Condition::always(); });
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
      if (!condition)
        throw InternalError("the elements that a gradient does not reach have no formula");
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

NodeId Adjoints::add(const Node& like, const Set& domain, pdg::Op op, std::vector<Read> inputs,
                     NodeId target) {
  if (target >= 0) {
    graph_.node(target).op = std::move(op);
    graph_.node(target).inputs = std::move(inputs);
    return target;
  }
  Node made;
  made.name = nameOf(like);
  made.adjoint = true;
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
  if (own.id < first_made_ || !own.name.empty() || std::holds_alternative<pdg::Constant>(own.op))
    return;
  if (own.dims == dimsOf(node) && adjoint.read.at == pdg::identity(own.dims) &&
      own.shape == node.shape) {
    own.name = nameOf(node);
    own.adjoint = true;
  }
}

std::string Adjoints::nameOf(const Node& node) const {
  if (node.name.empty()) return "";
  return "∂" + loss_name_ + "/∂" + (node.adjoint ? "(" + node.name + ")" : node.name);
}

// The adjoint over all points of the node: for reads whose points are known at run time only.
Adjoint Adjoints::padded(const Node& node, const Adjoint& adjoint) {
  const Set all = points_.join(node.domain).projectOnto(adjoint.dims);
  if (all.isSubset(adjoint.domain)) return adjoint;
  return {adjoint.dims, all,
          mergeRow(node, all, {Part{adjoint.domain, Condition::always(), adjoint.source}}, -1)};
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
    const Adjoint adjoint =
        gathers ? padded(target, *adjoints_[at(target.id)]) : *adjoints_[at(target.id)];
    Substitution where;
    std::vector<IndexExpr> point;
    for (size_t i = 0; i < params_.size(); ++i)
      where.emplace(params_[i], IndexExpr(param_dims_[i]));
    for (size_t i = 0; i < target.dims.size(); ++i) where.emplace(target.dims[i], read.at[i]);
    for (Var var : adjoint.domain.vars()) point.push_back(where.at(var));
    const Set covered = gathers ? grad.domain : adjoint.domain.preimage(grad.domain, point);
    if (!covered.isEmpty()) {
      merge.pieces.push_back({covered, Condition::always()});
      sources.push_back(gathers ? substitute(adjoint.source, where, grad.inputs)
                                : substitute(adjoint.source, where));
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
