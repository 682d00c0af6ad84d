#include "compiler/schedule/printed_points.h"

#include <algorithm>

#include "compiler/pdg/reads.h"

namespace rlc::schedule {

namespace {

using pdg::Node;
using pdg::Read;
using polyhedral::IndexExpr;

// Whether the read stays at one of several points of an index, and it is known before the run that
// the point is reached.
bool readsOnePointOfMany(const pdg::Graph& graph, const Read& read) {
  const Node& producer = graph.node(read.producer);
  bool one = false;
  for (size_t k = 0; k < producer.dims.size(); ++k) {
    if (graph.dim(producer.dims[k]).end >= 0) return false;
    const IndexExpr own(producer.dims[k]);
    one = one ||
          (read.at[k].asConstant() && producer.domain.minimum(own) != producer.domain.maximum(own));
  }
  return one;
}

Read copyOf(pdg::Graph& graph, const pdg::Sink& sink, const Read& read) {
  const Node& producer = graph.node(read.producer);
  Node copy;
  copy.name = sink.label;
  copy.span = sink.span;
  copy.dims = sink.dims;
  copy.domain = sink.domain;
  copy.type = producer.type;
  copy.shape = producer.shape;
  copy.op = pdg::Merge{{{sink.domain, polyhedral::Condition::always()}}};
  copy.inputs = {read};
  const pdg::NodeId id = graph.add(std::move(copy));
  return pdg::identityRead(graph.node(id));
}

}  // namespace

void copyPrintedPoints(pdg::Graph& graph) {
  std::vector<pdg::Sink> sinks = graph.sinks();
  for (pdg::Sink& sink : sinks) {
    if (sink.kind != pdg::Sink::Kind::Print || sink.where) continue;
    pdg::forEachLeaf(sink.value, [&](Read& leaf) {
      const auto& shape = graph.node(leaf.producer).shape;
      const bool even = std::all_of(shape.begin(), shape.end(), [](const IndexExpr& extent) {
        return extent.asConstant().has_value();
      });
      if (even && readsOnePointOfMany(graph, leaf)) leaf = copyOf(graph, sink, leaf);
    });
  }
  graph.sinks() = std::move(sinks);
}

}  // namespace rlc::schedule
