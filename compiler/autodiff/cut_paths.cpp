#include "compiler/autodiff/cut_paths.h"

#include <algorithm>
#include <set>
#include <string>

#include "compiler/autodiff/chains.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/traversal.h"
#include "compiler/types/lists.h"

namespace rlc::autodiff {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using Why = pdg::Detach::Why;

bool isDetach(const Node& node, Why why) {
  const auto* detach = std::get_if<pdg::Detach>(&node.op);
  return detach && detach->why == why;
}

// What ends a path, and what to say of it.
struct Cut {
  std::string kind;  // "a draw": joined in the message
  std::string here;  // "`a` is drawn here", after the name
  std::string hint;
};

const Cut kDraw{"a draw", " is drawn here, and a draw is a constant to gradients",
                "draw it by `reparam(...)`, or put the distribution's `log_prob` into the loss"};
const Cut kPriority{"a sum tree", " is a priority here, a constant to gradients",
                    "put the tree's `log_prob` or another function of the value into the loss"};
const Cut kCondition{"a condition", " is compared here, which has the derivative 0",
                     "use a smooth step such as `sigmoid(x / 0.1)`"};
const Cut kInteger{"an integer", " becomes an integer here, which has the derivative 0",
                   "use the float itself"};
const Cut kRounding{"rounding", " is rounded here, which has the derivative 0",
                    "use the value itself, or add what rounding changes as a constant: "
                    "`x + detach(round(x) - x)`"};

// Of the value that ends the path, the lowest on it: an integer has become one somewhere below.
const Cut& cutAt(const Node& node) {
  if (std::holds_alternative<pdg::Draw>(node.op) || isDetach(node, Why::Draw)) return kDraw;
  if (isDetach(node, Why::Priority) || std::holds_alternative<pdg::TreeUpdate>(node.op) ||
      std::holds_alternative<pdg::TreeFind>(node.op))
    return kPriority;
  if (node.type == DType::Bool) return kCondition;
  return isFloat(node.type) ? kRounding : kInteger;
}

class CutPaths {
 public:
  CutPaths(const Graph& graph, NodeId loss)
      : graph_(graph), names_(pdg::displayNames(graph)), loss_(loss) {
    follow();
  }

  // Whether there was something to say: not where the loss does not depend on the target, or only
  // through `detach`.
  bool warn(const Node& grad, bool leavesOthers, diagnostics::DiagnosticSink& sink) const {
    const NodeId target = grad.inputs[1].producer;
    const std::vector<NodeId> chain = chainTo(target);
    if (chain.empty()) return false;
    std::set<NodeId> ends = endsBefore(target);
    std::vector<const Cut*> cuts;
    for (NodeId end : ends)
      if (const Cut* cut = &cutAt(graph_.node(end)); !contains(cuts, cut)) cuts.push_back(cut);
    const bool drawn = contains(cuts, &kDraw);
    if (cuts.empty() || (drawn && leavesOthers)) return false;

    std::string kinds;
    for (const Cut* cut : cuts)
      kinds += (kinds.empty() ? "" : cut == cuts.back() ? " and " : ", ") + cut->kind;
    Diagnostic diagnostic(Kind::ZeroGradient, grad.span,
                          "this gradient is 0: " + name(chain.front()) + " depends on " +
                              name(target) + " only through " + kinds,
                          diagnostics::Severity::Warning);
    std::set<std::pair<uint32_t, std::string>> said;
    for (NodeId end : ends) {
      const Node& node = graph_.node(end);
      const Cut& cut = cutAt(node);
      if (said.size() < 3 && said.emplace(node.span.begin, cut.kind).second)
        diagnostic.notes.push_back({node.span, "the value" + cut.here});
    }
    diagnostic.notes.push_back({diagnostics::Span{}, chainText(names_, chain)});
    diagnostic.hint_text = (drawn ? &kDraw : cuts.front())->hint;
    sink.report(std::move(diagnostic));
    return true;
  }

 private:
  std::string name(NodeId id) const { return quotedName(names_, id); }

  // Whether a requirement holds: a value does not depend on it, it is there or not.
  bool testsRequirement(const Node& node) const {
    return std::ranges::any_of(node.inputs, [&](const Read& read) {
      return pdg::requirementOf(graph_.node(read.producer)).has_value();
    });
  }

  bool passed(NodeId id) const { return passed_[static_cast<size_t>(id)]; }

  // Everything that the loss depends on, each by a shortest way; and how far derivatives come.
  void follow() {
    const auto size = static_cast<size_t>(graph_.size());
    reader_.assign(size, -1);
    passed_.assign(size, false);
    reader_[static_cast<size_t>(loss_)] = loss_;
    std::vector<NodeId> pending{loss_};
    for (size_t next = 0; next < pending.size(); ++next) {
      const Node& node = graph_.node(pending[next]);
      if (isDetach(node, Why::Asked) || testsRequirement(node)) continue;
      for (const Read& read : node.inputs) {
        NodeId& own = reader_[static_cast<size_t>(read.producer)];
        if (own >= 0) continue;
        own = node.id;
        pending.push_back(read.producer);
      }
    }
    passed_[static_cast<size_t>(loss_)] = true;
    pending = {loss_};
    while (!pending.empty()) {
      const Node& node = graph_.node(pending.back());
      pending.pop_back();
      for (int input = 0; input < node.dataInputs(); ++input) {
        const NodeId producer = node.inputs[static_cast<size_t>(input)].producer;
        if (passed(producer) || !passesGradient(graph_, node, input)) continue;
        passed_[static_cast<size_t>(producer)] = true;
        pending.push_back(producer);
      }
    }
  }

  std::vector<NodeId> chainTo(NodeId target) const {
    if (reader_[static_cast<size_t>(target)] < 0) return {};
    std::vector<NodeId> result{target};
    while (result.back() != loss_) result.push_back(reader_[static_cast<size_t>(result.back())]);
    std::reverse(result.begin(), result.end());
    return result;
  }

  // From the target upward through what no derivative comes to: the last values before it does, or,
  // of integers and conditions, the first that are.
  std::set<NodeId> endsBefore(NodeId target) const {
    std::vector<std::vector<NodeId>> readers(static_cast<size_t>(graph_.size()));
    for (const Node& node : graph_.nodes()) {
      if (reader_[static_cast<size_t>(node.id)] < 0 || isDetach(node, Why::Asked)) continue;
      for (const Read& read : node.inputs)
        readers[static_cast<size_t>(read.producer)].push_back(node.id);
    }
    std::set<NodeId> ends, seen{target};
    std::vector<NodeId> pending{target};
    while (!pending.empty()) {
      const NodeId id = pending.back();
      pending.pop_back();
      for (NodeId reader : readers[static_cast<size_t>(id)]) {
        const Node& node = graph_.node(reader);
        if (std::holds_alternative<pdg::Grad>(node.op)) continue;  // an update by this gradient
        if (isFloat(node.type) && !isFloat(graph_.node(id).type)) continue;  // said below
        if (!isFloat(node.type) && isFloat(graph_.node(id).type)) {
          ends.insert(drawnAbove(reader, readers));
        } else if (isFloat(node.type) && blocks(node, id)) {
          ends.insert(reader);
        } else if (!passed(reader) && seen.insert(reader).second) {
          pending.push_back(reader);
        }
      }
    }
    return ends;
  }

  // The program's draw that an integer or a condition is part of: a Bernoulli is a uniform draw
  // compared.
  NodeId drawnAbove(NodeId whole, const std::vector<std::vector<NodeId>>& readers) const {
    std::set<NodeId> seen{whole};
    std::vector<NodeId> pending{whole};
    while (!pending.empty()) {
      const Node& node = graph_.node(pending.back());
      pending.pop_back();
      if (isDetach(node, Why::Draw)) return node.id;
      for (NodeId reader : readers[static_cast<size_t>(node.id)])
        if (!isFloat(graph_.node(reader).type) && seen.insert(reader).second)
          pending.push_back(reader);
    }
    return whole;
  }

  bool blocks(const Node& node, NodeId producer) const {
    for (int input = 0; input < node.dataInputs(); ++input)
      if (node.inputs[static_cast<size_t>(input)].producer == producer &&
          passesGradient(graph_, node, input))
        return false;
    return true;
  }

  const Graph& graph_;
  std::vector<std::string> names_;
  NodeId loss_;
  std::vector<NodeId> reader_;  // by node: what reads it on a shortest way from the loss; -1: none
  std::vector<bool> passed_;    // by node: whether a derivative of the loss comes to it
};

}  // namespace

void warnOfCutPaths(const Graph& graph, const Group& group, const Paths& paths,
                    diagnostics::DiagnosticSink& sink) {
  const auto reached = [&](NodeId grad) { return paths.on(graph.node(grad).inputs[1].producer); };
  if (std::all_of(group.grads.begin(), group.grads.end(), reached)) return;
  const CutPaths cut(graph, group.loss.producer);
  std::set<std::pair<int64_t, int64_t>> said;  // a record's leaves would all say the same
  for (NodeId id : group.grads) {
    const Node& grad = graph.node(id);
    const std::pair<int64_t, int64_t> place{grad.span.file, grad.span.begin};
    if (reached(id) || said.count(place)) continue;
    const bool leavesOthers =
        std::any_of(group.grads.begin(), group.grads.end(), [&](NodeId other) {
          const auto& span = graph.node(other).span;
          return span.file == grad.span.file && span.begin == grad.span.begin && reached(other);
        });
    if (cut.warn(grad, leavesOthers, sink)) said.insert(place);
  }
}

}  // namespace rlc::autodiff
