// Whether a set of statements can share one loop, and how they are shifted against each other in
// it.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "compiler/schedule/alignment.h"
#include "compiler/schedule/distance.h"

namespace rlc::schedule {

struct LoopChoice {
  ClassId loopClass = -1;
  bool descending = false;
  bool eitherDirection = false;  // nothing forces a direction
  bool parallel = false;         // every dependence stays within an iteration
  std::map<int, int64_t> shift;  // [statement] loop variable = variable + shift (the loop variable
                                 // itself where it has no variable)
};

// Answers questions about one class of variables for the statements of a region.
class LoopFinder {
 public:
  using VarOf = std::function<std::optional<Var>(
      int statement, ClassId)>;  // the statement's still unscheduled variable of the class

  LoopFinder(const Statements& statements, VarOf varOf)
      : statements_(&statements), varOf_(std::move(varOf)) {}

  // A loop over `loopClass` for these statements under these dependences among them, or nothing.
  // `mustBeSequential`: a statement among them talks to the host.
  std::optional<LoopChoice> find(const std::vector<int>& statements,
                                 const std::vector<const Dependence*>& dependences,
                                 ClassId loopClass) const;

  // The smallest extra shift of `joining` that lets it share `loop` with the statements already in
  // it: the dependences run from those into the joining ones. With `keepParallel` only distance
  // zero will do. Nothing: it can't.
  std::optional<int64_t> shiftToJoin(const LoopChoice& loop, const LoopChoice& joining,
                                     const std::vector<const Dependence*>& between,
                                     bool keepParallel) const;

  std::optional<Distance> distance(const Dependence& dependence, ClassId loopClass) const;

 private:
  std::optional<LoopChoice> solve(const std::vector<int>& statements,
                                  const std::vector<const Dependence*>& dependences,
                                  const std::vector<Distance>& distances, ClassId loopClass,
                                  bool descending) const;

  const Statements* statements_;
  VarOf varOf_;
};

}  // namespace rlc::schedule
