#include "compiler/schedule/unscheduled.h"

#include <algorithm>

#include "compiler/schedule/work.h"

namespace rlc::schedule {

namespace {

constexpr double kSequentialShare = 0.2;
constexpr int kMostAlignments = 16;         // that are tried for a component
constexpr int64_t kFewestSharedLanes = 16;  // iterations of a loop whose lanes others follow

}  // namespace

Unscheduled::Unscheduled(const Graph& graph, const Statements& statements,
                         const std::vector<Dependence>& dependences,
                         const std::vector<Placed>& placed)
    : alignment(statements, dependences),
      graph_(graph),
      statements_(statements),
      placed_(placed),
      finder_(statements, [this](int s, ClassId c) { return varOf(s, c); }) {
  for (const Statement& statement : statements.list) vars.push_back(statement.vars);
}

std::optional<Var> Unscheduled::varOf(int statement, ClassId loopClass) const {
  for (Var var : vars[static_cast<size_t>(statement)])
    if (alignment.classOf(var) == loopClass) return var;
  return std::nullopt;
}

std::vector<ClassId> Unscheduled::rankClasses(const std::vector<int>& statements) const {
  std::map<ClassId, int> coverage;
  for (int s : statements)
    for (Var var : vars[static_cast<size_t>(s)]) ++coverage[alignment.classOf(var)];
  std::vector<ClassId> ranked;
  for (const auto& [id, count] : coverage) ranked.push_back(id);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](ClassId a, ClassId b) { return coverage[a] > coverage[b]; });
  return ranked;
}

std::vector<LoopChoice> Unscheduled::loopOptions(const std::vector<int>& members,
                                                 const std::vector<const Dependence*>& inner,
                                                 const std::vector<ClassId>& preference,
                                                 bool insideParallel) const {
  std::vector<LoopChoice> options;
  for (ClassId id : preference) {
    const bool any = std::any_of(members.begin(), members.end(),
                                 [&](int s) { return varOf(s, id).has_value(); });
    if (!any) continue;
    if (auto choice = finder_.find(members, inner, id)) options.push_back(std::move(*choice));
  }
  // Among classes of the same coverage a parallel loop goes outside a sequential one: then a lane
  // keeps its state for all steps.
  if (!insideParallel)
    std::stable_sort(options.begin(), options.end(), [&](const LoopChoice& a, const LoopChoice& b) {
      return coverageOf(members, a.loopClass) == coverageOf(members, b.loopClass) && a.parallel &&
             !b.parallel;
    });
  return options;
}

void Unscheduled::alignFurther(const std::vector<int>& members,
                               const std::vector<const Dependence*>& inner) {
  std::vector<int> scannable;
  std::copy_if(members.begin(), members.end(), std::back_inserter(scannable),
               [&](int s) { return !vars[static_cast<size_t>(s)].empty(); });
  const std::vector<ClassId> ranked = rankClasses(scannable);
  if (ranked.empty()) return;
  const ClassId first = ranked.front();
  if (coverageOf(scannable, first) == static_cast<int>(scannable.size()) ||
      isLoop(first, members, inner))
    return;
  int tries = kMostAlignments;
  coverBy(first, members, inner, tries);
}

// Takes a class of each member that has none of `whole` for it, one after the other, until there is
// a loop. Whether there is; else nothing has changed.
bool Unscheduled::coverBy(ClassId whole, const std::vector<int>& members,
                          const std::vector<const Dependence*>& inner, int& tries) {
  const auto bare = std::find_if(members.begin(), members.end(), [&](int s) {
    return !vars[static_cast<size_t>(s)].empty() && !varOf(s, whole);
  });
  if (bare == members.end()) return isLoop(whole, members, inner);
  const std::vector<Var>& own = vars[static_cast<size_t>(*bare)];
  for (Var var : own) {
    if (tries-- <= 0) return false;
    const Alignment before = alignment;
    const ClassId other = alignment.classOf(var);
    if (!isLoop(other, members, inner) && alignment.unite(whole, other) &&
        coverBy(std::min(whole, other), members, inner, tries))
      return true;
    alignment = before;
  }
  return false;
}

std::set<ClassId> Unscheduled::laneClasses(
    const Components& components, const std::vector<std::vector<LoopChoice>>& options) const {
  std::set<ClassId> lanes;
  for (size_t c = 0; c < options.size(); ++c) {
    if (!components.cyclic[c] || options[c].empty() || !options[c].front().parallel) continue;
    const ClassId id = options[c].front().loopClass;
    const auto parallel = std::count_if(options[c].begin(), options[c].end(),
                                        [](const LoopChoice& choice) { return choice.parallel; });
    if (parallel == 1 && extentOf(components.members[c], id) >= kFewestSharedLanes)
      lanes.insert(id);
  }
  return lanes;
}

std::set<ClassId> Unscheduled::sequentialClasses(
    const Components& components, const std::vector<std::vector<LoopChoice>>& options) const {
  std::map<ClassId, double> total, forced;
  for (size_t c = 0; c < components.members.size(); ++c) {
    if (options[c].empty()) continue;
    const double work = workOf(components.members[c]);
    const LoopChoice& choice = options[c].front();
    total[choice.loopClass] += work;
    if (!choice.parallel) forced[choice.loopClass] += work;
  }
  std::set<ClassId> result;
  for (const auto& [id, work] : forced)
    if (work >= kSequentialShare * total[id]) result.insert(id);
  // What runs along an index that ends on a condition ends with it.
  for (const pdg::EndingIndex& index : statements_.endings)
    if (alignment.contains(index.dim)) result.insert(alignment.classOf(index.dim));
  return result;
}

double Unscheduled::pointsOf(int s) const {
  return pointsAround(placed_[static_cast<size_t>(s)].domain, vars[static_cast<size_t>(s)]);
}

double Unscheduled::elementsOf(int s) const {
  const Statement& statement = statements_.list[static_cast<size_t>(s)];
  return statement.node < 0 ? 0.0 : schedule::elementsOf(graph_.node(statement.node));
}

double Unscheduled::operationsOf(const std::vector<int>& members) const {
  double total = 0.0;
  for (int s : members)
    total += schedule::operationsOf(graph_, statements_, statements_.list[static_cast<size_t>(s)]);
  return total;
}

double Unscheduled::workOf(const std::vector<int>& members) const {
  double work = 0.0;
  for (int s : members) work += operationsOf({s}) * pointsOf(s);
  return work;
}

int64_t Unscheduled::extentOf(const std::vector<int>& members, ClassId id) const {
  int64_t extent = 0;
  for (int s : members) {
    const auto var = varOf(s, id);
    if (!var) continue;
    const Set& domain = placed_[static_cast<size_t>(s)].domain;
    const auto lo = domain.minimum(IndexExpr(*var)), hi = domain.maximum(IndexExpr(*var));
    if (lo && hi) extent = std::max(extent, *hi - *lo + 1);
  }
  return extent;
}

int Unscheduled::coverageOf(const std::vector<int>& members, ClassId id) const {
  return static_cast<int>(std::count_if(members.begin(), members.end(),
                                        [&](int s) { return varOf(s, id).has_value(); }));
}

}  // namespace rlc::schedule
