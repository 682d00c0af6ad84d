// A range that ends on a condition: where the condition is asked, nothing behind the point after it
// is known to exist.
#include <algorithm>
#include <map>

#include "compiler/diagnostics/kinds.h"
#include "compiler/pdg/reads.h"
#include "compiler/sema/ends.h"

namespace rlc::sema {

namespace {

using diagnostics::Diagnostic;
using pdg::Graph;
using pdg::Node;
using pdg::NodeId;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

constexpr int64_t kTried = 32;  // points from each side at which the range may end

// One read on the way from the condition.
struct PassedRead {
  NodeId reader = -1;
  int input = -1;
};

class ConditionCheck {
 public:
  ConditionCheck(const Graph& graph, Var index, diagnostics::DiagnosticSink& sink)
      : graph_(graph), index_(index), sink_(sink) {}

  void run() {
    const NodeId end = graph_.dim(index_).end;
    const auto* first = std::get_if<pdg::Reduce>(&graph_.node(end).op);
    if (!first || first->kind != pdg::ReduceKind::FirstTrue) return;
    const NodeId condition = graph_.node(end).inputs[0].producer;
    if (!positionIn(graph_.node(condition))) return;
    visit(condition, condition, {}, 0);
  }

 private:
  std::optional<size_t> positionIn(const Node& node) const {
    const auto found = std::find(node.dims.begin(), node.dims.end(), index_);
    return found == node.dims.end()
               ? std::nullopt
               : std::optional<size_t>(static_cast<size_t>(found - node.dims.begin()));
  }

  int64_t beyond(const Node& node) const { return pdg::pointsPastRange(graph_, node, index_); }

  // What is read by a node that the condition needs at most `ahead` points ahead of its own.
  // Whether the read can happen is tested where one seems to go too far.
  void visit(NodeId condition, NodeId id, std::vector<PassedRead> way, int64_t ahead) {
    const auto [known, isNew] = ahead_.try_emplace(id, ahead);
    if (!isNew && known->second >= ahead) return;
    known->second = ahead;
    const Node& node = graph_.node(id);
    for (size_t k = 0; k < node.inputs.size() && !reported_; ++k) {
      const pdg::Read& read = node.inputs[k];
      const Node& producer = graph_.node(read.producer);
      const auto position = positionIn(producer);
      if (!position || read.at[*position].hasValue()) continue;
      const auto further = pdg::readDomain(node, static_cast<int>(k))
                               .maximum(read.at[*position] - IndexExpr(index_));
      if (!further) continue;
      way.push_back({id, static_cast<int>(k)});
      const int64_t reaches = ahead + *further;
      if (!producer.name.empty() && reaches > beyond(producer)) report(condition, way, producer);
      // What reads further with every step ends somewhere, which is where it was found to go too
      // far.
      else if (reaches <= kTried)
        visit(condition, read.producer, way, reaches);
      way.pop_back();
    }
  }

  // The point at which the last read of the way lands when the condition is asked at `point`.
  std::optional<int64_t> landing(const std::vector<PassedRead>& way, int64_t point) const {
    for (const PassedRead& step : way) {
      const Node& node = graph_.node(step.reader);
      const pdg::Read& read = node.inputs[static_cast<size_t>(step.input)];
      const Set domain = pdg::readDomain(node, step.input);
      const Set here = domain.intersect(
          Set::of(domain.context(), domain.vars(),
                  polyhedral::Condition::within(IndexExpr(index_), point, point + 1)));
      const auto next = here.maximum(read.at[*positionIn(graph_.node(read.producer))]);
      if (!next) return std::nullopt;
      point = *next;
    }
    return point;
  }

  void report(NodeId condition, const std::vector<PassedRead>& way, const Node& producer) {
    const Node& asked = graph_.node(condition);
    const auto lo = asked.domain.minimum(IndexExpr(index_)),
               hi = asked.domain.maximum(IndexExpr(index_));
    if (!lo || !hi) return;
    for (int64_t point = *lo; point <= *hi; ++point) {
      if (point == *lo + kTried) point = std::max(point, *hi - kTried);
      const auto lands = landing(way, point);
      if (!lands || *lands <= point + beyond(producer)) continue;
      const std::string s = graph_.dim(index_).name,
                        where = "`" + producer.name + "[" + std::to_string(*lands) + "]`";
      sink_.report(
          Diagnostic(diagnostics::Kind::InstantCycle, graph_.node(way.back().reader).span,
                     "the condition that ends `" + s + "` needs " + where + " at " + s + " = " +
                         std::to_string(point) + ", before it is known whether `" + s + "` goes on")
              .caretText("where the range ends at " + std::to_string(point) + ", `" +
                         producer.name + "` ends at " + std::to_string(point + beyond(producer)))
              .note(graph_.dim(index_).span, "the range of `" + s + "` ends where this holds")
              .hint("a condition may read up to the point that it decides on, and `x[" + s +
                    "+1]` where an equation defines that; "
                    "let it hold a step later, or give what is read a range of its own that does "
                    "not end"));
      reported_ = true;
      return;
    }
  }

  const Graph& graph_;
  Var index_;
  diagnostics::DiagnosticSink& sink_;
  std::map<NodeId, int64_t> ahead_;
  bool reported_ = false;
};

}  // namespace

void checkConditions(const Graph& graph, diagnostics::DiagnosticSink& sink) {
  for (int k = 0; k < graph.dimCount(); ++k)
    if (graph.dim(Var::dim(k)).end >= 0) ConditionCheck(graph, Var::dim(k), sink).run();
}

}  // namespace rlc::sema
