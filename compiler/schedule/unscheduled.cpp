#include "compiler/schedule/unscheduled.h"

#include <algorithm>

#include "compiler/schedule/work.h"

namespace rlc::schedule {

namespace {

constexpr double kSequentialShare = 0.2;
constexpr int64_t kFewestSharedLanes = 16;  // iterations of a loop whose lanes others follow

}  // namespace

Unscheduled::Unscheduled(const Graph& graph, const Statements& statements,
                         const std::vector<Dependence>& dependences,
                         const std::vector<Placed>& placed)
    : graph_(graph),
      statements_(statements),
      placed_(placed),
      alignment_(statements, dependences),
      finder_(statements, [this](int s, ClassId c) { return varOf(s, c); }) {
  for (const Statement& statement : statements.list) vars.push_back(statement.vars);
}

std::optional<Var> Unscheduled::varOf(int statement, ClassId loopClass) const {
  for (Var var : vars[static_cast<size_t>(statement)])
    if (alignment_.classOf(var) == loopClass) return var;
  return std::nullopt;
}

std::vector<ClassId> Unscheduled::rankClasses(const std::vector<int>& statements) const {
  std::map<ClassId, int> coverage;
  for (int s : statements)
    for (Var var : vars[static_cast<size_t>(s)]) ++coverage[alignment_.classOf(var)];
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
  const auto scannable = std::count_if(
      members.begin(), members.end(), [&](int s) { return !vars[static_cast<size_t>(s)].empty(); });
  const std::vector<ClassId> ranked = rankClasses(members);
  if (ranked.empty() || coverageOf(members, ranked.front()) == scannable) return;
  Alignment further = alignment_;
  ClassId whole = ranked.front();
  std::vector<ClassId> parts;
  for (ClassId id : ranked)
    if (further.unite(whole, id)) {
      parts.push_back(id);
      whole = std::min(whole, id);
    }
  const auto isLoop = [&](ClassId id) { return finder_.find(members, inner, id).has_value(); };
  if (std::any_of(parts.begin(), parts.end(), isLoop)) return;
  std::swap(alignment_, further);
  if (coverageOf(members, whole) < scannable || !isLoop(whole)) std::swap(alignment_, further);
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
    double work = 0.0;
    for (int s : components.members[c])
      work +=
          operationsOf(graph_, statements_, statements_.list[static_cast<size_t>(s)]) * pointsOf(s);
    const LoopChoice& choice = options[c].front();
    total[choice.loopClass] += work;
    if (!choice.parallel) forced[choice.loopClass] += work;
  }
  std::set<ClassId> result;
  for (const auto& [id, work] : forced)
    if (work >= kSequentialShare * total[id]) result.insert(id);
  // What runs along an index that ends on a condition ends with it.
  for (const pdg::EndingIndex& index : statements_.endings)
    if (alignment_.contains(index.dim)) result.insert(alignment_.classOf(index.dim));
  return result;
}

double Unscheduled::pointsOf(int s) const {
  double points = 1.0;
  const Set& domain = placed_[static_cast<size_t>(s)].domain;
  for (Var var : vars[static_cast<size_t>(s)]) {
    const auto lo = domain.minimum(IndexExpr(var)), hi = domain.maximum(IndexExpr(var));
    if (lo && hi) points *= static_cast<double>(*hi - *lo + 1);
  }
  return points;
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
