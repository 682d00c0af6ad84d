#include "compiler/autodiff/gradients.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/autodiff/adjoints.h"
#include "compiler/autodiff/chains.h"
#include "compiler/autodiff/cut_paths.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::autodiff {

namespace {

using diagnostics::Diagnostic;
using diagnostics::DiagnosticSink;
using diagnostics::Kind;

class Expander {
 public:
  Expander(Graph& graph, DiagnosticSink& sink)
      : graph_(graph),
        sink_(sink),
        constants_(graph),
        support_(graph, constants_),
        ranges_(graph),
        tools_{graph, constants_, support_, ranges_} {}

  void run() {
    const int before = graph_.size();
    for (NodeId id = 0; id < before; ++id)
      if (std::holds_alternative<pdg::Grad>(graph_.node(id).op)) place(id);
    for (size_t i = 0; i < groups_.size(); ++i)
      if (state_[i] == State::New) expand(i);
    markAdjoints(before);
  }

 private:
  enum class State { New, Active, Done };

  // What has been made of adjoints; the rest is made of the program's values alone.
  void markAdjoints(NodeId first) {
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId id = first; id < graph_.size(); ++id) {
        Node& node = graph_.node(id);
        const bool reads =
            std::any_of(node.inputs.begin(), node.inputs.end(),
                        [&](const pdg::Read& read) { return graph_.node(read.producer).adjoint; });
        if (node.adjoint || !reads) continue;
        node.adjoint = changed = true;
      }
    }
  }

  void place(NodeId id) {
    if (!pdg::valueInputs(graph_.node(id).inputs[0]).empty()) nameLoss(id);
    const Node& grad = graph_.node(id);
    const Read& loss = grad.inputs[0];
    const std::vector<Var> shared = targetDims(grad);
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[i];
      if (group.loss.producer != loss.producer || group.loss.at != loss.at ||
          group.loss.element != loss.element)
        continue;
      if (group.dims != grad.dims || !group.domain.isEqual(grad.domain)) continue;
      if (targetDims(graph_.node(group.grads[0])) != shared) continue;
      group.grads.push_back(id);
      group_of_[id] = i;
      return;
    }
    group_of_[id] = groups_.size();
    groups_.push_back({loss, grad.dims, grad.domain, {id}});
    state_.push_back(State::New);
  }

  // The dims that say at which point of the target the derivative is taken. What is differentiated
  // together agrees on them: they decide which indices the adjoints share with the loss.
  static std::vector<Var> targetDims(const Node& grad) {
    std::vector<Var> dims;
    for (const IndexExpr& e : grad.inputs[1].at) e.collectVariables(dims);
    std::sort(dims.begin(), dims.end());
    dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
    return dims;
  }

  // A loss that is gathered gets a tensor of its own, so that its point is a function of the
  // gradient's.
  void nameLoss(NodeId id) {
    const Node grad = graph_.node(id);
    const Source loss = operandOf(grad, 0);
    Node copy;
    copy.span = grad.span;
    copy.dims = grad.dims;
    copy.domain = grad.domain;
    copy.type = graph_.node(loss.read.producer).type;
    pdg::Merge merge;
    merge.pieces.push_back({grad.domain, Condition::always()});
    copy.op = std::move(merge);
    copy.inputs = inputsOf({loss});
    const NodeId made = graph_.add(std::move(copy));
    graph_.node(id).inputs[0] = {made, pdg::identity(grad.dims), {}};
  }

  // Gradients that the loss depends on come first.
  void expand(size_t number) {
    state_[number] = State::Active;
    for (;;) {
      const Group group = groups_[number];
      const Paths paths(graph_, group);
      const std::optional<NodeId> inner = innerGradient(paths);
      if (!inner) {
        warnOfCutPaths(graph_, group, paths, sink_);
        Adjoints adjoints(tools_, group, paths, graph_.node(group.loss.producer).name);
        adjoints.run();
        for (NodeId grad : group.grads) adjoints.replace(grad);
        break;
      }
      const size_t other = group_of_.at(*inner);
      if (state_[other] == State::Active) {
        reportEndless(number, *inner, paths);
        break;
      }
      expand(other);
    }
    state_[number] = State::Done;
  }

  std::optional<NodeId> innerGradient(const Paths& paths) const {
    for (NodeId id : paths.nodes())
      if (std::holds_alternative<pdg::Grad>(graph_.node(id).op)) return id;
    return std::nullopt;
  }

  // How the loss comes to the gradient: at best by what it reads of the value that it is
  // differentiated by at a fixed or another point, which is often meant to be data.
  std::string wayToGradient(const Group& group, const Paths& paths, NodeId inner) const {
    const auto isTarget = [&](NodeId id) {
      return std::ranges::any_of(
          group.grads, [&](NodeId grad) { return graph_.node(grad).inputs[1].producer == id; });
    };
    const auto names = pdg::displayNames(graph_);
    const auto elsewhere = chainOnPaths(
        paths, group.loss.producer,
        [&](const Edge& edge) {
          const Read& read = graph_.node(edge.consumer).inputs[static_cast<size_t>(edge.input)];
          return isTarget(edge.producer) &&
                 read.at != pdg::identity(graph_.node(edge.producer).dims);
        },
        [&](const Edge& edge) { return !isTarget(edge.producer); });
    if (!elsewhere.empty())
      return chainText(names, elsewhere) + " at other points than that of the gradient";
    auto chain = chainOnPaths(
        paths, group.loss.producer, [&](const Edge& edge) { return edge.producer == inner; },
        [](const Edge&) { return true; });
    if (!chain.empty()) chain.pop_back();  // the gradient has no name; its readers have
    return chainText(names, chain) + " reads the gradient";
  }

  void reportEndless(size_t number, NodeId inner, const Paths& paths) {
    const Group& group = groups_[number];
    const Node& grad = graph_.node(group.grads[0]);
    Diagnostic diagnostic(
        Kind::EndlessGradient, grad.span,
        "this gradient depends on its own derivative, so that no finite set of equations gives it");
    if (inner != grad.id)
      diagnostic.notes.push_back({graph_.node(inner).span, "through this gradient"});
    diagnostic.notes.push_back({diagnostics::Span{}, wayToGradient(group, paths, inner)});
    diagnostic.hint_text =
        "put what is data to the loss, such as values of earlier weights, in `detach(...)`; or "
        "differentiate by the value at the same point, or put the gradient in `detach(...)`";
    sink_.report(std::move(diagnostic));
    // Zeros, so that what follows has a sound graph.
    for (NodeId id : group.grads) {
      Node& node = graph_.node(id);
      pdg::Merge merge;
      merge.pieces.push_back({node.domain, Condition::always()});
      const Source none = constants_.number(0, node.type);
      graph_.node(id).op = std::move(merge);
      graph_.node(id).inputs = inputsOf({none});
    }
  }

  Graph& graph_;
  DiagnosticSink& sink_;
  Constants constants_;
  Support support_;
  RangeVariables ranges_;
  Tools tools_;
  std::vector<Group> groups_;
  std::vector<State> state_;
  std::map<NodeId, size_t> group_of_;
};

}  // namespace

void expandGradients(Graph& graph, DiagnosticSink& sink) { Expander(graph, sink).run(); }

void expandGradients(Graph& graph) {
  DiagnosticSink sink;
  expandGradients(graph, sink);
  if (sink.hasErrors()) throw InternalError(sink.sorted().front().message);
}

}  // namespace rlc::autodiff
