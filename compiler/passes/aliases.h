// Nodes whose value is a read of another node's.
#pragma once

#include <optional>
#include <vector>

#include "compiler/passes/rewrite.h"

namespace rlc::passes {

class Aliases {
 public:
  explicit Aliases(Graph& graph);

  // Who reads `node` is to read `target` instead: a read over the node's variables, which may take
  // values of its inputs. A name moves along where the target has the same points and none itself.
  void set(NodeId node, Read target);
  bool has(NodeId node) const { return find(node) != nullptr; }
  int count() const { return count_; }

  void redirect(NodeId consumer);  // the node's reads so far
  void redirectAll();              // every read, those of sinks included

 private:
  const Read* find(NodeId node) const;
  bool samePoints(const Node& from, const Read& target) const;
  void redirectSink(Read& leaf) const;
  void passName(NodeId node, const Read& target);

  Graph& graph_;
  std::vector<std::optional<Read>> targets_;
  int count_ = 0;
};

}  // namespace rlc::passes
