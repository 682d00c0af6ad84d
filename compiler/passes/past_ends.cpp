#include "compiler/passes/past_ends.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/passes/end_bounds.h"
#include "compiler/passes/rewrite.h"
#include "compiler/pdg/before_end.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/subscript_faults.h"
#include "compiler/pdg/traversal.h"
#include "compiler/polyhedral/variables.h"

namespace rlc::passes {

namespace {

constexpr size_t kMostLimits = 4;  // of a node
constexpr int kRounds = 3;         // through recurrences

class Noter {
 public:
  explicit Noter(Graph& graph)
      : graph_(graph),
        bounds_(graph),
        names_(pdg::displayNames(graph)),
        limits_(static_cast<size_t>(graph.size())) {}

  void run() {
    const std::vector<NodeId> order = producersFirst(graph_);
    for (const NodeId id : order) findOwnLimits(graph_.node(id));
    for (int round = 0; round < kRounds; ++round)
      for (const NodeId id : order) inheritLimits(graph_.node(id));
    for (const NodeId id : order) {
      const size_t count = graph_.node(id).inputs.size();  // those that are added are ends
      for (size_t input = 0; input < count; ++input)
        for (const Limit& limit : limits_[index(graph_.node(id).inputs[input].producer)])
          note(id, input, limit);
    }
  }

 private:
  // A node has no value along a dim at end + beyond and further on, up to `last`.
  struct Limit {
    size_t dim;
    int64_t beyond;
    std::optional<int64_t> last;
  };

  static size_t index(NodeId id) { return static_cast<size_t>(id); }

  // What the program has named goes as far as its equations. A gradient is zero past an end.
  void findOwnLimits(const Node& node) {
    for (size_t k = 0; k < node.dims.size() && !node.name.empty() && !node.adjoint; ++k)
      if (graph_.dim(node.dims[k]).end >= 0)
        limits_[index(node.id)].push_back(
            {k, pdg::pointsPastRange(graph_, node, node.dims[k]), std::nullopt});
  }

  // And what is always computed from something no further than that.
  void inheritLimits(const Node& node) {
    for (size_t k = 0; k < node.dims.size() && !node.adjoint; ++k) {
      const NodeId end = graph_.dim(node.dims[k]).end;
      if (end < 0 || before(end).known()[index(node.id)]) continue;
      for (size_t input = 0; input < node.inputs.size(); ++input)
        if (pdg::isAlwaysRead(node, input)) inherit(node, input, k, end);
    }
  }

  void inherit(const Node& node, size_t input, size_t k, NodeId end) {
    const Read& read = node.inputs[input];
    const Var along = node.dims[k];
    std::vector<Limit>& limits = limits_[index(node.id)];
    const std::vector<EndBound> conditions = bounds_.conditionsOf(node, input);
    for (const Limit& limit : std::vector<Limit>(limits_[index(read.producer)])) {
      const std::vector<Var>& dims = graph_.node(read.producer).dims;
      const auto shifted = read.at[limit.dim].asShifted();
      if (dims[limit.dim] != along || !shifted || shifted->var != along) continue;
      bool same = true;  // the end
      for (size_t p = 0; p < dims.size(); ++p)
        if (p != limit.dim && contains(graph_.node(end).dims, dims[p]))
          same &= read.at[p] == IndexExpr(dims[p]);
      if (std::any_of(conditions.begin(), conditions.end(), [&](const EndBound& bound) {
            return bound.var == along && bound.end == end &&
                   bound.beyond + shifted->offset <= limit.beyond;
          }))
        continue;
      Limit own{k, limit.beyond - shifted->offset, limit.last};
      if (own.last) *own.last -= shifted->offset;
      const auto* merge = std::get_if<pdg::Merge>(&node.op);
      if (merge && input < merge->pieces.size()) {
        const auto last = merge->pieces[input].domain.maximum(IndexExpr(along));
        if (last) own.last = own.last ? std::min(*own.last, *last) : last;
      }
      const auto covers = [&](const Limit& known) {
        return known.dim == k && known.beyond <= own.beyond &&
               (!known.last || (own.last && *own.last <= *known.last));
      };
      if (same && limits.size() < kMostLimits && std::none_of(limits.begin(), limits.end(), covers))
        limits.push_back(own);
    }
  }

  const pdg::Before& before(NodeId end) {
    auto known = before_.find(end);
    if (known == before_.end())
      known = before_.try_emplace(end, graph_, end, graph_.node(end).dims).first;
    return known->second;
  }

  void note(NodeId id, size_t input, const Limit& limit) {
    const Node& node = graph_.node(id);
    const Read read = node.inputs[input];
    const Node& producer = graph_.node(read.producer);
    const Var along = producer.dims[limit.dim];
    const IndexExpr& position = read.at[limit.dim];
    const pdg::Dim& dim = graph_.dim(along);
    if (!bounds_.asked(node)) return;
    const auto at = pdg::endPoint(graph_, read, dim.end, pdg::readVariables(node));
    if (!at || !before(dim.end).mayBeAskedBy(node, *at)) return;
    // The first point is there wherever the range ends.
    const auto first = dim.lo.asConstant(), point = position.asConstant();
    if (first && point && *point <= *first + limit.beyond) return;
    if (holds([&] { return isBelow(node, input, position, {along, dim.end, *at, limit.beyond}); }))
      return;

    Node changed = node;
    pdg::PastEnd past;
    const auto end = valueOf(changed, input, dim.end, *at, past.where);
    if (!end) return;
    past.where.push_back(position - *end - limit.beyond);
    if (limit.last) past.where.push_back(IndexExpr(*limit.last) - position);
    // Points that nothing asks for are seen by nobody; of those behind its own end whoever asks is
    // told. A scatter goes through all that it adds, wherever it puts that.
    for (const EndBound& asked : *bounds_.asked(node)) {
      if (pdg::isKeyed(node, asked.var)) continue;
      if (!before(asked.end).mayBeAskedBy(node, asked.at)) {
        // What its own end depends on can't ask for it: only the first point is there for sure.
        const auto lo = graph_.dim(asked.var).lo.asConstant();
        if (!lo) return;
        past.where.push_back(*lo - IndexExpr(asked.var));
        continue;
      }
      int64_t beyond = asked.beyond;
      for (const Limit& own : limits_[index(id)])
        if (node.dims[own.dim] == asked.var)
          beyond = std::min(beyond, std::max<int64_t>(own.beyond, 0));
      if (const auto last = valueOf(changed, input, asked.end, asked.at, past.where))
        past.where.push_back(*last + beyond - 1 - IndexExpr(asked.var));
    }
    pdg::ReadOrigin origin;
    origin.span = node.span;
    origin.tensor = names_[index(id)];
    origin.message = "`" + names_[index(producer.id)] + "` is read past end(" + dim.name + ")";
    for (const Var var : pdg::toldVariables(graph_, node))
      origin.point.push_back({graph_.dim(var).name, IndexExpr(var)});
    past.origin = std::make_shared<const pdg::ReadOrigin>(std::move(origin));
    changed.inputs[input].past.push_back(std::move(past));
    graph_.node(id) = std::move(changed);
    before_.clear();  // the node depends on an end now
  }

  // Whether the position is below the limit wherever the input is read.
  bool isBelow(const Node& node, size_t input, const IndexExpr& position, const EndBound& limit) {
    if (const auto value = position.terms().size() == 1 ? valueIn(position) : std::nullopt) {
      const auto end = bounds_.endValue(node.inputs[*value]);
      return end && end->end == limit.end && end->at == limit.at &&
             end->offset + position.constantTerm() < limit.beyond;
    }
    if (position.hasValue()) return false;
    for (const EndBound& bound : bounds_.whereRead(node, input)) {
      if (bound.end != limit.end || bound.at != limit.at) continue;
      const IndexExpr apart = position - IndexExpr(bound.var);
      const auto most = apart.asConstant()
                            ? apart.asConstant()
                            : pdg::readDomain(node, static_cast<int>(input)).maximum(apart);
      if (!most || *most <= limit.beyond - bound.beyond) return true;
    }
    return false;
  }

  // The input whose value the position is, but for a constant.
  static std::optional<size_t> valueIn(const IndexExpr& position) {
    const IndexExpr::Term& term = position.terms()[0];
    if (term.coefficient != 1 || term.atom->kind != IndexExpr::AtomKind::Value) return std::nullopt;
    return static_cast<size_t>(term.atom->input);
  }

  // The end's value for the node's input. Where it has none there, no index ends: one more
  // condition. None: there is no telling where it has one.
  std::optional<IndexExpr> valueOf(Node& node, size_t input, NodeId end, std::vector<IndexExpr> at,
                                   std::vector<IndexExpr>& where) const {
    const Node& last = graph_.node(end);
    if (!std::any_of(at.begin(), at.end(), pdg::hasUnboundedValue)) {
      const auto points = pdg::readDomain(node, static_cast<int>(input));
      const auto inside = [&] {
        return pdg::imageOf(graph_, points, at, last.dims).isSubset(last.domain);
      };
      if (!holds(inside)) {
        for (size_t k = 0; k < at.size(); ++k) {
          const auto lo = last.domain.minimum(last.dims[k]), hi = last.domain.maximum(last.dims[k]);
          if (!lo || !hi) return std::nullopt;
          where.push_back(at[k] - *lo);
          where.push_back(IndexExpr(*hi) - at[k]);
          at[k] = IndexExpr::max(IndexExpr::min(at[k], *hi), *lo);
        }
        if (!holds(inside)) return std::nullopt;
      }
    }
    const Read read{end, std::move(at), {}};
    auto number = static_cast<size_t>(node.dataInputs());
    while (number < node.inputs.size() && !sameRead(node.inputs[number], read)) ++number;
    if (number == node.inputs.size()) node.inputs.push_back(read);
    return IndexExpr::value(static_cast<int>(number), nullptr, nullptr);
  }

  Graph& graph_;
  const EndBounds bounds_;
  const std::vector<std::string> names_;
  std::vector<std::vector<Limit>> limits_;  // [node]
  std::map<NodeId, pdg::Before> before_;
};

}  // namespace

void notePastEnds(Graph& graph) {
  for (int d = 0; d < graph.dimCount(); ++d)
    if (graph.dim(Var::dim(d)).end >= 0) return Noter(graph).run();
}

}  // namespace rlc::passes
