#include "compiler/pdg/past_end.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/types/lists.h"

namespace rlc::pdg {

std::optional<std::vector<IndexExpr>> endPoint(const Graph& graph, const Read& read, NodeId end,
                                               const std::vector<Var>& scope) {
  std::vector<IndexExpr> at;
  for (const Var var : graph.node(end).dims) {
    if (const IndexExpr* position = positionAlong(graph, read, var))
      at.push_back(*position);
    else if (contains(scope, var))
      at.emplace_back(var);
    else
      return std::nullopt;
  }
  return at;
}

std::vector<PastEndCheck> pastEndChecks(const Graph& graph, const Read& leaf) {
  std::vector<PastEndCheck> checks;
  const Node& producer = graph.node(leaf.producer);
  if (producer.name.empty() || producer.adjoint) return checks;
  for (size_t k = 0; k < producer.dims.size(); ++k) {
    const Dim& dim = graph.dim(producer.dims[k]);
    if (dim.end < 0) continue;
    std::vector<polyhedral::Var> vars;
    leaf.at[k].collectVariables(vars);
    const bool runsAlong = std::any_of(vars.begin(), vars.end(), [&](polyhedral::Var var) {
      return !var.isElement() && (graph.dim(var).end >= 0 || graph.dim(var).isRange);
    });
    if (runsAlong) continue;
    PastEndCheck check;
    check.dim = producer.dims[k];
    check.position = leaf.at[k];
    check.beyond = pointsPastRange(graph, producer, producer.dims[k]);
    // The first point is there wherever the range ends.
    const auto first = dim.lo.asConstant(), at = leaf.at[k].asConstant();
    if (first && at && *at <= *first + check.beyond) continue;
    auto end = endPoint(graph, leaf, dim.end, {});
    if (!end) continue;
    check.end = {dim.end, std::move(*end), {}};
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<Read> hostReads(const Graph& graph, const Sink& sink) {
  std::vector<Read> reads;
  forEachLeaf(sink.value, [&](const Read& leaf) {
    reads.push_back(leaf);
    for (PastEndCheck& check : pastEndChecks(graph, leaf)) reads.push_back(std::move(check.end));
  });
  if (sink.where) reads.push_back(*sink.where);
  return reads;
}

}  // namespace rlc::pdg
