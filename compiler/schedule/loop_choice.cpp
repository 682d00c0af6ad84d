#include "compiler/schedule/loop_choice.h"

#include <algorithm>
#include <limits>

#include "compiler/schedule/longest_paths.h"

namespace rlc::schedule {

namespace {
constexpr int64_t kUnboundedBelow = std::numeric_limits<int64_t>::min();
constexpr int64_t kUnboundedAbove = std::numeric_limits<int64_t>::max();
}  // namespace

std::optional<Distance> LoopFinder::distance(const Dependence& dependence,
                                             ClassId loopClass) const {
  const auto sinkVar = varOf_(dependence.sink, loopClass);
  const auto sourceVar = varOf_(dependence.source, loopClass);
  std::optional<size_t> position;
  if (sourceVar) {
    const auto& vars = statements_->list[static_cast<size_t>(dependence.source)].vars;
    position = static_cast<size_t>(std::find(vars.begin(), vars.end(), *sourceVar) - vars.begin());
  }
  return distanceAlong(dependence, sinkVar, position);
}

std::optional<LoopChoice> LoopFinder::solve(const std::vector<int>& statements,
                                            const std::vector<const Dependence*>& dependences,
                                            const std::vector<Distance>& distances,
                                            ClassId loopClass, bool descending) const {
  // Along a descending loop time is the negated variable: the least time distance is -max.
  auto least = [&](size_t k) -> int64_t {
    if (!descending) return distances[k].min;
    return distances[k].max == kUnboundedAbove ? kUnboundedBelow : -distances[k].max;
  };
  std::map<int, size_t> position;
  for (int s : statements) position.try_emplace(s, position.size());
  std::vector<Edge> edges;
  for (size_t k = 0; k < dependences.size(); ++k) {
    if (least(k) == kUnboundedBelow) return std::nullopt;
    edges.push_back(
        {position.at(dependences[k]->source), position.at(dependences[k]->sink), -least(k)});
  }
  const auto shifts = longestPaths(position.size(), edges);
  if (!shifts) return std::nullopt;
  LoopChoice choice;
  choice.loopClass = loopClass;
  choice.descending = descending;
  for (const auto& [statement, at] : position)
    choice.shift[statement] = descending ? -(*shifts)[at] : (*shifts)[at];
  return choice;
}

std::optional<LoopChoice> LoopFinder::find(const std::vector<int>& statements,
                                           const std::vector<const Dependence*>& dependences,
                                           ClassId loopClass) const {
  std::vector<Distance> distances;
  std::vector<const Dependence*> relevant;
  bool still = true;
  for (const Dependence* dependence : dependences) {
    const auto d = distance(*dependence, loopClass);
    if (!d) continue;
    relevant.push_back(dependence);
    distances.push_back(*d);
    still = still && d->min == 0 && d->max == 0;
  }
  bool all = true, host = false;
  for (int s : statements) {
    all = all && varOf_(s, loopClass).has_value();
    host = host || statements_->list[static_cast<size_t>(s)].role == Statement::Role::Emit;
  }
  if (still && all) {
    LoopChoice choice;
    choice.loopClass = loopClass;
    choice.parallel = !host;
    choice.eitherDirection = !host;
    for (int s : statements) choice.shift[s] = 0;
    return choice;
  }
  if (auto ascending = solve(statements, relevant, distances, loopClass, false)) return ascending;
  if (host) return std::nullopt;
  return solve(statements, relevant, distances, loopClass, true);
}

std::optional<int64_t> LoopFinder::shiftToJoin(const LoopChoice& loop, const LoopChoice& joining,
                                               const std::vector<const Dependence*>& between,
                                               bool keepParallel) const {
  int64_t needed = 0;  // in time: forward for an ascending loop
  for (const Dependence* dependence : between) {
    const auto d = distance(*dependence, loop.loopClass);
    if (!d) continue;
    const int64_t relative = joining.shift.at(dependence->sink) - loop.shift.at(dependence->source);
    if (keepParallel) {
      if (d->min + relative != 0 || d->max + relative != 0) return std::nullopt;
      continue;
    }
    if (loop.descending) {
      if (d->max == kUnboundedAbove) return std::nullopt;
      needed = std::max(needed, d->max + relative);
    } else {
      if (d->min == kUnboundedBelow) return std::nullopt;
      needed = std::max(needed, -(d->min + relative));
    }
  }
  return loop.descending ? -needed : needed;
}

}  // namespace rlc::schedule
