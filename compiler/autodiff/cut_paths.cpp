#include "compiler/autodiff/cut_paths.h"

#include <algorithm>
#include <string>

#include "compiler/pdg/traversal.h"

namespace rlc::autodiff {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;

// The nodes by which the loss reads the target, from the target to the loss; empty where it does
// not.
std::vector<NodeId> chain(const Graph& graph, NodeId loss, NodeId target) {
  std::vector<NodeId> reader(static_cast<size_t>(graph.size()), -1);
  std::vector<NodeId> pending{loss};
  reader[static_cast<size_t>(loss)] = loss;
  for (size_t next = 0; next < pending.size() && reader[static_cast<size_t>(target)] < 0; ++next) {
    const Node& node = graph.node(pending[next]);
    if (std::holds_alternative<pdg::Detach>(node.op)) continue;
    for (const pdg::Read& read : node.inputs) {
      NodeId& own = reader[static_cast<size_t>(read.producer)];
      if (own >= 0) continue;
      own = node.id;
      pending.push_back(read.producer);
    }
  }
  if (reader[static_cast<size_t>(target)] < 0) return {};
  std::vector<NodeId> result{target};
  while (result.back() != loss) result.push_back(reader[static_cast<size_t>(result.back())]);
  return result;
}

void warn(const Graph& graph, const Node& grad, const std::vector<NodeId>& chain,
          diagnostics::DiagnosticSink& sink) {
  const std::vector<std::string> names = pdg::displayNames(graph);
  auto name = [&](NodeId id) {
    const std::string& found = names[static_cast<size_t>(id)];
    return found.empty() ? "the loss" : "`" + found + "`";
  };
  const auto draw = std::find_if(chain.begin(), chain.end(), [&](NodeId id) {
    return std::holds_alternative<pdg::Draw>(graph.node(id).op);
  });
  const auto whole = std::find_if(chain.begin(), chain.end(),
                                  [&](NodeId id) { return !isFloat(graph.node(id).type); });
  const auto cut = draw != chain.end() ? draw : whole;
  if (cut == chain.end()) return;
  const bool drawn = draw != chain.end();
  Diagnostic diagnostic(Kind::NotDifferentiable, grad.span,
                        std::string("this gradient is 0: ") + name(chain.back()) + " depends on " +
                            name(chain.front()) + " only through " +
                            (drawn ? "a draw" : "integers and conditions"),
                        diagnostics::Severity::Warning);
  diagnostic.notes.push_back(
      {graph.node(*cut).span, name(*cut) + (drawn ? " is drawn here" : " has no derivative")});
  std::string path, last;
  for (auto id = chain.rbegin(); id != chain.rend(); ++id) {
    if (name(*id) == last) continue;
    last = name(*id);
    path += (path.empty() ? "" : " reads ") + last;
  }
  diagnostic.notes.push_back({diagnostics::Span{}, path});
  diagnostic.hint_text =
      drawn ? "draw it by `reparam(...)`, or put the distribution's `log_prob` into the loss"
            : "integers, comparisons and rounding have the derivative 0";
  sink.report(std::move(diagnostic));
}

}  // namespace

void warnOfCutPaths(const Graph& graph, const Group& group, const Paths& paths,
                    diagnostics::DiagnosticSink& sink) {
  for (NodeId id : group.grads) {
    const Node& grad = graph.node(id);
    const NodeId target = grad.inputs[1].producer;
    if (paths.on(target)) continue;
    const std::vector<NodeId> found = chain(graph, group.loss.producer, target);
    if (found.empty()) continue;
    warn(graph, grad, found, sink);
    return;  // a record's leaves would all say the same
  }
}

}  // namespace rlc::autodiff
