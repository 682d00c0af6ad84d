// The part of the statements that no loop scans yet, and which loops could.
#pragma once

#include <set>

#include "compiler/schedule/components.h"
#include "compiler/schedule/loop_choice.h"
#include "compiler/schedule/tree.h"

namespace rlc::schedule {

class Unscheduled {
 public:
  // `placed`: where the statements are so far; it outlives this and may change.
  Unscheduled(const Graph& graph, const Statements& statements,
              const std::vector<Dependence>& dependences, const std::vector<Placed>& placed);
  Unscheduled(const Unscheduled&) = delete;  // the finder asks this one
  Unscheduled& operator=(const Unscheduled&) = delete;

  const Graph& graph() const { return graph_; }
  const Statements& statements() const { return statements_; }
  const LoopFinder& finder() const { return finder_; }

  // [statement] its variables that no loop scans yet; whoever makes a loop takes out what it scans.
  std::vector<std::vector<Var>> vars;
  std::optional<Var> varOf(int statement, ClassId loopClass) const;

  // Classes by how many of the statements have them (a loop that all share keeps them together),
  // then as declared.
  std::vector<ClassId> rankClasses(const std::vector<int>& statements) const;

  // Loops that the members of a component can share under the dependences among them, best first.
  std::vector<LoopChoice> loopOptions(const std::vector<int>& members,
                                      const std::vector<const Dependence*>& inner,
                                      const std::vector<ClassId>& preference,
                                      bool insideParallel) const;

  // Which variables are one: for the groups of a region, so whoever goes through one region after
  // the other goes back to what was before.
  Alignment alignment;

  // Where a program has two names for what a component runs along, `t` and `u in 1..n`, takes them
  // for one: if each of its members has one or the other, and there is a loop over both, but over
  // neither alone.
  void alignFurther(const std::vector<int>& members, const std::vector<const Dependence*>& inner);

  // A simulation has to take the one index that is parallel for its lanes, so what it writes lies
  // lane by lane.
  std::set<ClassId> laneClasses(const Components& components,
                                const std::vector<std::vector<LoopChoice>>& options) const;

  // Classes along which a good part of the work runs in sequence anyway: what could run in parallel
  // joins those loops.
  std::set<ClassId> sequentialClasses(const Components& components,
                                      const std::vector<std::vector<LoopChoice>>& options) const;

  double pointsOf(int statement) const;                        // at most
  double elementsOf(int statement) const;                      // that it writes at a point, at most
  double operationsOf(const std::vector<int>& members) const;  // of a point of each
  double workOf(const std::vector<int>& members) const;        // operations of all their points
  int64_t extentOf(const std::vector<int>& members,
                   ClassId loopClass) const;  // iterations of a loop over the class, at most
  int coverageOf(const std::vector<int>& members,
                 ClassId loopClass) const;  // members that have the class

 private:
  bool coverBy(ClassId whole, const std::vector<int>& members,
               const std::vector<const Dependence*>& inner, int& tries);
  bool isLoop(ClassId id, const std::vector<int>& members,
              const std::vector<const Dependence*>& inner) const {
    return finder_.find(members, inner, id).has_value();
  }

  const Graph& graph_;
  const Statements& statements_;
  const std::vector<Placed>& placed_;
  LoopFinder finder_;
};

}  // namespace rlc::schedule
