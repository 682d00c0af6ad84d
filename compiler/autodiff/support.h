// Where what gradients are made of may be other than zero.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>

#include "compiler/autodiff/emitter.h"

namespace rlc::autodiff {

// An adjoint is constantly zero where what it is of was not selected: what else it is made of may
// be infinite, NaN or past an end there, and counts for nothing. Where it is zero otherwise, as at
// a minimum, its own derivatives need not be.
class Support {
 public:
  // Only nodes from here on are looked at: what gradients are made of.
  Support(Graph& graph, Constants& constants)
      : graph_(graph), constants_(constants), first_(graph.size()) {}

  // What an adjoint makes of a value: not read where the adjoint is zero.
  Source unlessZero(Emitter& emit, const Source& adjoint, const Source& value);
  // The adjoint by which a node is such a guard.
  std::optional<Source> guardOf(const Node& node) const;

  // Bool, false only where `source` is constantly zero; none: it is nowhere known to be.
  std::optional<Source> of(const Source& source) { return of(source, true); }
  // The same but for sums, where it has to be counted which terms are: cheap, and true more often.
  std::optional<Source> near(const Source& source) { return of(source, false); }

 private:
  enum class Kind { Nowhere, Somewhere, Anywhere };
  // Where a node, or what it reads, may be nonzero.
  struct Known {
    Kind kind = Kind::Anywhere;
    NodeId truth = -1;  // Somewhere: over the node's dims and elements
  };

  std::optional<Source> of(const Source& source, bool sums);
  Known ofNode(NodeId id);
  Known find(const Node& node);
  Known ofMap(const Node& node);
  Known ofMerge(const Node& node);
  Known ofSum(const Node& node);
  Known ofInput(const Node& node, int input);
  Known either(const Node& node, const Known& a, const Known& b);
  Known chosen(const Node& node, const Source& condition, const Known& a, const Known& b);
  Source truth(const Known& known);
  Source readLike(const Source& source, const Known& known);
  Emitter emitter(const Node& node) const;

  Graph& graph_;
  Constants& constants_;
  NodeId first_;
  std::set<NodeId> guards_;
  bool sums_ = true;
  std::array<std::map<NodeId, Known>, 2> known_;  // without sums, with them
  bool unfinished_ = false;  // an adjoint that is not known yet has been looked at
};

}  // namespace rlc::autodiff
