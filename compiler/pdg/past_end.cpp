#include "compiler/pdg/past_end.h"

#include <algorithm>

#include "compiler/pdg/reads.h"

namespace rlc::pdg {

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
    check.end.producer = dim.end;
    for (polyhedral::Var var : graph.node(dim.end).dims) {
      const auto position = std::find(producer.dims.begin(), producer.dims.end(), var);
      if (position == producer.dims.end()) break;
      check.end.at.push_back(leaf.at[static_cast<size_t>(position - producer.dims.begin())]);
    }
    // What is the same for all of the dims that the end runs over ends at none of them.
    if (check.end.at.size() == graph.node(dim.end).dims.size()) checks.push_back(std::move(check));
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
