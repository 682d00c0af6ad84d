// What lanes can be inside of one iteration of a loop: the elements of what statements compute, or
// the terms of sums.
#pragma once

#include <set>

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

inline constexpr int64_t kRegisterLanes = 16;  // of AVX-512

class ElementLanes {
 public:
  ElementLanes(const Graph& graph, const Statements& statements, const Schedule& schedule)
      : graph_(graph), statements_(statements), schedule_(schedule) {}

  // Whether lanes can be elements of a statement, terms of its sums, or a loop's iterations.
  bool have(const ScheduleNode& node) const;
  // Whether a statement has sums of products for its elements, one factor of which all iterations
  // of a loop share: then a few of them compute vectors of elements (jit/cpu/unit_vectors.h).
  bool areLayer(const ScheduleNode& node, const ScheduleNode& loop) const;

  // The loops in lanes that leave them to elements at little cost, of tensors over which hardly
  // any other loop has its lanes, nor reads them in lanes at places that data say: one's elements
  // lie side by side then, where others read them one after the other. Layers of a network whose
  // number is an index, for instance, whose weights a batch's lanes share.
  using Loops = std::set<const ScheduleNode*>;
  Loops preferredTo() const;

 private:
  bool hasWideElements(const Statement& statement) const;
  bool hasLongSum(const pdg::Node& node) const;
  bool readsLongSum(const pdg::Node& node) const;
  bool reduces(const pdg::Node& node) const;
  // Whether the test holds for something that a node reads and that is computed there.
  template <typename Test>
  bool anyInline(const pdg::Node& node, const Test& test) const;
  bool isPlain(const Statement& statement) const;
  struct Work {
    double plain = 0, all = 0;
  };
  Work plainWorkOf(const ScheduleNode& node) const;
  void collect(const ScheduleNode& node, Loops& plain) const;
  double touchesOf(size_t statement) const;

  const Graph& graph_;
  const Statements& statements_;
  const Schedule& schedule_;
};

// The statement's variable that the loop scans.
std::optional<Var> variableOf(const Schedule& schedule, int statement, const ScheduleNode& loop);

}  // namespace rlc::schedule
