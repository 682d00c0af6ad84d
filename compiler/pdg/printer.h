// Graphs as text, for people: `rlc explain`, dumps after passes, messages of tests.
//
//   x[t] : f32 over 0 <= t and t < 11
//     = merge
//         where t == 0: 1
//         where t >= 1 and t < 11: %4[t - 1]
//   %4[t] : f32 over 0 <= t and t < 10
//     = mul x[t], 0.5
#pragma once

#include <string>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

class Printer {
 public:
  explicit Printer(const Graph& graph);

  std::string graph() const;           // every node, then the sinks
  std::string node(NodeId id) const;   // one or more lines
  std::string label(NodeId id) const;  // "x", or "%4" where there is no name of its own
  // As the user would write it: "x[t - 1][e0]", "obs[j[t]]"; constants of one value by their value.
  std::string read(const Node& consumer, const Read& read) const;
  std::string expr(const IndexExpr& expr) const;
  std::string expr(const Node& consumer, const IndexExpr& expr) const;  // "k[t] + 1"
  std::string set(const Set& set) const;  // the condition alone, or isl's text
  std::string sink(const Sink& sink) const;

 private:
  std::string expr(const IndexExpr& expr, const std::vector<Read>& inputs, int depth) const;
  std::string read(const Read& read, const std::vector<Read>& inputs, int depth) const;
  std::string op(const Node& node) const;
  std::string reduction(const Node& node, const Reduce& reduce) const;
  std::string keys(const Node& node) const;  // " at s == k[t]" for each
  std::string tree(const Node& node, const TreeShape& shape) const;
  std::string sinkValue(const SinkValue& value) const;

  const Graph& graph_;
  polyhedral::VarNamer namer_;
  std::vector<std::string> labels_;
};

std::string print(const Graph& graph);
// "`max` of an empty range": what a fault says. The maximum of no ones is what a mean asks for.
std::string emptyRangeText(const Graph& graph, const Node& reduction);
std::string_view name(ReduceKind kind);  // "sum", "argmax", ...
std::string_view name(DrawKind kind);    // "uniform01", ...
std::string_view opName(const Op& op);   // "constant", "merge", "reduce", ...
std::string printScalar(const Scalar& value);

}  // namespace rlc::pdg
