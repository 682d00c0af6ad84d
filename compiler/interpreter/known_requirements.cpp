#include "compiler/interpreter/known_requirements.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/traversal.h"

namespace rlc::interpreter {

namespace {

using pdg::Graph;
using pdg::Node;

// What takes longer to evaluate is left to the run.
constexpr int64_t kMostElements = 4096;
constexpr int64_t kMostPoints = 16 * kMostElements;  // of a reduction, for all of its elements

bool isSmall(const Node& node) {
  int64_t elements = 1;
  for (const IndexExpr& extent : node.shape) {
    const auto size = extent.asConstant();
    if (!size || *size > kMostElements) return false;
    elements *= *size;
    if (elements > kMostElements) return false;
  }
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  return !reduce || (reduce->domain.isBounded() &&
                     !reduce->domain.hasMoreThan(kMostPoints / std::max<int64_t>(elements, 1)));
}

// A value at no index that its operands alone determine. Params are a run's to choose.
bool isPure(const Node& node) {
  return node.dims.empty() && (std::holds_alternative<pdg::Constant>(node.op) ||
                               std::holds_alternative<pdg::IndexValue>(node.op) ||
                               std::holds_alternative<pdg::Map>(node.op) ||
                               std::holds_alternative<pdg::Detach>(node.op) ||
                               std::holds_alternative<pdg::Reduce>(node.op) ||
                               std::holds_alternative<pdg::Merge>(node.op) ||
                               std::holds_alternative<pdg::Sort>(node.op));
}

// Which nodes constants alone determine; a requirement's index is the subscript that it tests.
std::vector<bool> knownNodes(const Graph& graph) {
  std::vector<bool> known(graph.nodes().size());
  for (const auto& component : pdg::components(graph)) {
    const Node& node = graph.node(component.front());
    bool all = component.size() == 1 && (pdg::requirementOf(node) || isPure(node));
    for (const pdg::Read& read : node.inputs)
      all = all && known[static_cast<size_t>(read.producer)];
    known[static_cast<size_t>(node.id)] = all && isSmall(node);
  }
  return known;
}

// Which nodes are computed for certain, of those that sinks show.
std::vector<bool> certainNodes(const Graph& graph) {
  std::vector<bool> certain(graph.nodes().size());
  std::vector<NodeId> open;
  const auto reach = [&](NodeId id) {
    if (certain[static_cast<size_t>(id)] || graph.node(id).domain.isEmpty()) return;
    certain[static_cast<size_t>(id)] = true;
    open.push_back(id);
  };
  for (const NodeId root : pdg::sinkRoots(graph)) reach(root);
  while (!open.empty()) {
    const Node& node = graph.node(open.back());
    open.pop_back();
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (pdg::isAlwaysRead(node, k)) reach(node.inputs[k].producer);
  }
  return certain;
}

bool tests(const Graph& graph, const Node& node) {
  for (const pdg::Read& read : node.inputs)
    if (pdg::requirementOf(graph.node(read.producer))) return true;
  return false;
}

}  // namespace

void checkKnownRequirements(const Graph& graph, diagnostics::DiagnosticSink& sink) {
  const std::vector<bool> known = knownNodes(graph);
  std::vector<NodeId> tested;
  for (const Node& node : graph.nodes())
    if (known[static_cast<size_t>(node.id)] && node.dims.empty() && tests(graph, node))
      tested.push_back(node.id);
  if (tested.empty()) return;  // as in nearly all programs: what is certain takes isl a while
  const std::vector<bool> certain = certainNodes(graph);
  Interpreter interpreter(graph);
  for (const NodeId id : tested) {
    if (!certain[static_cast<size_t>(id)]) continue;
    try {
      interpreter.evaluate(id);
    } catch (const runtime::RuntimeFault& fault) {
      // Another fault is the run's to tell, where the value is asked for.
      if (fault.kind != diagnostics::Kind::RequirementFault) continue;
      sink.report(
          diagnostics::Diagnostic(diagnostics::Kind::BadArguments, fault.span, fault.message())
              .hint(fault.hint()));
    }
  }
}

}  // namespace rlc::interpreter
