#include "compiler/schedule/past_end.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::schedule {

std::vector<PastEndCheck> pastEndChecks(const pdg::Graph& graph, pdg::NodeId consumer,
                                        const pdg::Read& read) {
  std::vector<PastEndCheck> checks;
  const pdg::Node& producer = graph.node(read.producer);
  if (producer.name.empty()) return checks;
  for (size_t k = 0; k < producer.dims.size(); ++k) {
    const pdg::Dim& dim = graph.dim(producer.dims[k]);
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
    check.beyond = pdg::pointsPastRange(graph, producer, producer.dims[k]);
    // The first point is there wherever the range ends.
    const auto first = dim.lo.asConstant(), at = read.at[k].asConstant();
    if (first && at && *at <= *first + check.beyond) continue;
    check.end.producer = dim.end;
    for (polyhedral::Var var : graph.node(dim.end).dims) {
      const auto position = std::find(producer.dims.begin(), producer.dims.end(), var);
      check.end.at.push_back(position == producer.dims.end()
                                 ? polyhedral::IndexExpr(var)
                                 : read.at[static_cast<size_t>(position - producer.dims.begin())]);
    }
    const auto& own = graph.node(dim.end).dims;
    const bool ownEnd = std::equal(
        check.end.at.begin(), check.end.at.end(), own.begin(), own.end(),
        [](const auto& at, polyhedral::Var var) { return at == polyhedral::IndexExpr(var); });
    if (ownEnd && consumer >= 0 && pdg::reachable(graph, {dim.end})[static_cast<size_t>(consumer)])
      continue;
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<pdg::Read> hostReads(const pdg::Graph& graph, const pdg::Sink& sink) {
  std::vector<pdg::Read> reads;
  pdg::forEachLeaf(sink.value, [&](const pdg::Read& leaf) {
    reads.push_back(leaf);
    for (PastEndCheck& check : pastEndChecks(graph, -1, leaf))
      reads.push_back(std::move(check.end));
  });
  if (sink.where) reads.push_back(*sink.where);
  return reads;
}

}  // namespace rlc::schedule
