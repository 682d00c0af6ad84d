#include "compiler/pdg/past_end.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

std::vector<PastEndCheck> pastEndChecks(const Graph& graph, NodeId consumer, const Read& read) {
  std::vector<PastEndCheck> checks;
  const Node& producer = graph.node(read.producer);
  if (producer.name.empty()) return checks;
  for (size_t k = 0; k < producer.dims.size(); ++k) {
    const Dim& dim = graph.dim(producer.dims[k]);
    if (dim.end < 0) continue;
    std::vector<polyhedral::Var> vars;
    read.at[k].collectVariables(vars);
    const bool runsAlong = std::any_of(vars.begin(), vars.end(), [&](polyhedral::Var var) {
      return !var.isElement() && (graph.dim(var).end >= 0 || graph.dim(var).isRange);
    });
    if (runsAlong) continue;
    PastEndCheck check;
    check.dim = producer.dims[k];
    check.position = read.at[k];
    check.beyond = pointsPastRange(graph, producer, producer.dims[k]);
    // The first point is there wherever the range ends.
    const auto first = dim.lo.asConstant(), at = read.at[k].asConstant();
    if (first && at && *at <= *first + check.beyond) continue;
    check.end.producer = dim.end;
    const std::vector<polyhedral::Var> scope =
        consumer < 0 ? std::vector<polyhedral::Var>() : readVariables(graph.node(consumer));
    bool known = true;
    for (polyhedral::Var var : graph.node(dim.end).dims) {
      const auto position = std::find(producer.dims.begin(), producer.dims.end(), var);
      known &= position != producer.dims.end() ||
               std::find(scope.begin(), scope.end(), var) != scope.end();
      check.end.at.push_back(position == producer.dims.end()
                                 ? polyhedral::IndexExpr(var)
                                 : read.at[static_cast<size_t>(position - producer.dims.begin())]);
    }
    // What is the same for all of the dims that the end runs over ends at none of them.
    if (!known) continue;
    const auto& own = graph.node(dim.end).dims;
    const bool ownEnd = std::equal(
        check.end.at.begin(), check.end.at.end(), own.begin(), own.end(),
        [](const auto& at, polyhedral::Var var) { return at == polyhedral::IndexExpr(var); });
    if (ownEnd && consumer >= 0 && reachable(graph, {dim.end})[static_cast<size_t>(consumer)])
      continue;
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<Read> hostReads(const Graph& graph, const Sink& sink) {
  std::vector<Read> reads;
  forEachLeaf(sink.value, [&](const Read& leaf) {
    reads.push_back(leaf);
    for (PastEndCheck& check : pastEndChecks(graph, -1, leaf))
      reads.push_back(std::move(check.end));
  });
  if (sink.where) reads.push_back(*sink.where);
  return reads;
}

}  // namespace rlc::pdg
