#include "compiler/schedule/scheduler.h"

#include <algorithm>
#include <set>

#include "compiler/schedule/grouping.h"
#include "compiler/schedule/late.h"
#include "compiler/schedule/loop_bounds.h"
#include "compiler/schedule/wavefront.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

// Of what isl is asked for a good order: so many statements with dependences, and points so far
// from those that they read. The numbers in its integer programs grow with both.
constexpr size_t kFewForIsl = 24;
constexpr int64_t kNearForIsl = 8;

class Scheduler {
 public:
  Scheduler(const Graph& graph, const Statements& statements,
            const std::vector<Dependence>& dependences, bool scanWider)
      : graph_(graph),
        statements_(statements),
        scanWider_(scanWider),
        unscheduled_(graph, statements, dependences, result_.placed) {
    result_.varCount = graph.dimCount();
    for (const Statement& statement : statements.list) {
      Placed placed;
      placed.domain = statement.domain;
      result_.placed.push_back(std::move(placed));
    }
  }

  Schedule run(const std::vector<Dependence>& dependences) {
    std::vector<int> all;
    for (size_t s = 0; s < statements_.list.size(); ++s) all.push_back(static_cast<int>(s));
    result_.roots = scheduleRegion(all, dependences, {});
    return std::move(result_);
  }

 private:
  std::vector<ScheduleNodePtr> scheduleRegion(const std::vector<int>& statements,
                                              const std::vector<Dependence>& dependences,
                                              const std::vector<const ScheduleNode*>& outer) {
    if (!scanWider_) return scheduleGroups(statements, dependences, outer, {});
    const Alignment alignment = unscheduled_.alignment;
    const auto remaining = unscheduled_.vars;
    const auto placed = result_.placed;
    const auto names = result_.loopNames;
    std::set<int> scanned;  // statements whose components get no loop here
    while (true) {
      try {
        return scheduleGroups(statements, dependences, outer, scanned);
      } catch (const NoOrder& none) {
        if (!scanned.insert(none.statement).second) throw;
        unscheduled_.vars = remaining;
        unscheduled_.alignment = alignment;
        result_.placed = placed;
        result_.loopNames = names;
        result_.varCount = graph_.dimCount() + static_cast<int>(names.size());
      }
    }
  }

  std::vector<ScheduleNodePtr> scheduleGroups(const std::vector<int>& statements,
                                              const std::vector<Dependence>& dependences,
                                              const std::vector<const ScheduleNode*>& outer,
                                              const std::set<int>& scanned) {
    const Alignment around = unscheduled_.alignment;
    const bool insideParallel =
        std::any_of(outer.begin(), outer.end(), [](const auto* loop) { return loop->parallel; });
    std::vector<Group> groups =
        formGroups(unscheduled_, statements, dependences, insideParallel, scanned);
    std::vector<ScheduleNodePtr> result;
    for (Group& group : groups) {
      if (group.scan) {
        result.push_back(makeScan(group, dependences));
      } else if (!group.loop) {
        auto leaf = std::make_unique<ScheduleNode>();
        leaf->kind = ScheduleNode::Kind::Statement;
        leaf->statement = group.statements.front();
        result.push_back(std::move(leaf));
      } else {
        result.push_back(makeLoop(group, dependences, outer));
      }
    }
    // Indices that are one here need not be in the next region, whose groups have been chosen.
    unscheduled_.alignment = around;
    return result;
  }

  std::string describe(int s) const {
    const Statement& statement = statements_.list[static_cast<size_t>(s)];
    if (statement.node < 0) return "a sink";
    const pdg::Node& node = graph_.node(statement.node);
    return "node " + std::to_string(node.id) + (node.name.empty() ? "" : " `" + node.name + "`");
  }

  // ---- loops ----

  ScheduleNodePtr makeLoop(Group& group, const std::vector<Dependence>& dependences,
                           const std::vector<const ScheduleNode*>& outer) {
    if (!group.loop->parallel) runLate(*group.loop, group.statements, dependences, unscheduled_);
    const LoopChoice& choice = *group.loop;
    auto loop = std::make_unique<ScheduleNode>();
    loop->kind = ScheduleNode::Kind::Loop;
    loop->loopVar = Var::dim(result_.varCount++);
    loop->descending = choice.descending;
    loop->parallel = choice.parallel;
    loop->name = graph_.dim(Var::dim(choice.loopClass)).name;
    result_.loopNames.push_back(loop->name);

    const std::vector<Dependence> left = dependencesInside(group, dependences);
    std::vector<Var> outerVars;
    for (const ScheduleNode* node : outer) outerVars.push_back(node->loopVar);
    for (int s : group.statements) enterLoop(s, choice, *loop, outerVars);
    setBounds(*loop, group.statements, outerVars);

    std::vector<const ScheduleNode*> path = outer;
    path.push_back(loop.get());
    loop->children = scheduleRegion(group.statements, left, path);
    return loop;
  }

  // For what shifts along one index can't order.
  ScheduleNodePtr makeScan(const Group& group, const std::vector<Dependence>& dependences) {
    std::map<int, int> position;
    std::vector<Set> domains;
    for (int s : group.statements) {
      position[s] = static_cast<int>(domains.size());
      domains.push_back(result_.placed[static_cast<size_t>(s)].domain.projectOnto(
          unscheduled_.vars[static_cast<size_t>(s)]));
    }
    std::vector<const Dependence*> inside;
    for (const Dependence& dependence : dependences)
      if (position.contains(dependence.source) && position.contains(dependence.sink))
        inside.push_back(&dependence);
    auto node = std::make_unique<ScheduleNode>();
    node->kind = ScheduleNode::Kind::Scan;
    node->statements = group.statements;
    const polyhedral::Times times = timesOf(group.statements, position, domains, inside, *node);
    std::vector<polyhedral::ScheduledStatement> timed;
    for (size_t k = 0; k < group.statements.size(); ++k)
      timed.push_back({group.statements[k], domains[k], times[k]});
    std::vector<Var> loopVars;
    for (size_t k = 0; k < times.front().size(); ++k) {
      loopVars.push_back(Var::dim(result_.varCount++));
      result_.loopNames.push_back("w" + std::to_string(k));
    }
    node->scan = polyhedral::scan(graph_.context(), timed, loopVars);
    return node;
  }

  // The best order that can be had in time.
  polyhedral::Times timesOf(const std::vector<int>& statements, const std::map<int, int>& position,
                            const std::vector<Set>& domains,
                            const std::vector<const Dependence*>& dependences,
                            ScheduleNode& node) const {
    std::vector<polyhedral::Dependence> edges;
    for (const Dependence* dependence : dependences)
      edges.push_back(unscheduledPart(*dependence, position));
    bool none = false;  // isl was asked, and there is no good order
    if (statements.size() + dependences.size() <= kFewForIsl &&
        reachOf(dependences) <= kNearForIsl) {
      auto good =
          polyhedral::scheduleWithIsl(graph_.context(), domains, edges, polyhedral::Effort::Good);
      if (good.schedule) return good.schedule->time;
      none = !good.outOfBudget;
    }
    const auto wavefront = findWavefront(unscheduled_, statements, dependences);
    // Where isl finds no good order at all, finer statements may have one.
    if (!wavefront && none)
      throw NoOrder("no loop orders the " + std::to_string(statements.size()) +
                        " statements of a cycle, one of them of " + describe(statements.front()),
                    statements.front());
    node.order = ScheduleNode::Order::Wavefront;
    if (wavefront) return wavefront->times(unscheduled_, statements);
    node.order = ScheduleNode::Order::Any;
    auto any =
        polyhedral::scheduleWithIsl(graph_.context(), domains, edges, polyhedral::Effort::Any);
    if (any.schedule) return any.schedule->time;
    throw NoOrder("an order of " + namesOf(statements) +
                      ", which read each other, was not found within the time limit; it is found "
                      "at once where along some index they read earlier points only, or later "
                      "points only",
                  statements.front(), any.outOfBudget);
  }

  // "`x`, `y`, `z` and 4 more"
  std::string namesOf(const std::vector<int>& statements) const {
    constexpr size_t kMost = 3;
    std::vector<std::string> names;
    for (int s : statements) {
      const NodeId node = statements_.list[static_cast<size_t>(s)].node;
      const std::string name = node < 0 ? "" : graph_.node(node).name;
      if (!name.empty() && !contains(names, name)) names.push_back(name);
    }
    std::string text;
    for (size_t k = 0; k < names.size() && k < kMost; ++k)
      text += (k == 0 ? "`" : ", `") + names[k] + "`";
    if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
    return names.empty() ? std::to_string(statements.size()) + " equations" : text;
  }

  // The largest of the distances that are the same at all points.
  int64_t reachOf(const std::vector<const Dependence*>& dependences) const {
    int64_t reach = 0;
    for (const Dependence* dependence : dependences)
      for (const auto& shift : dependence->shifts)
        if (shift) reach = std::max(reach, std::abs(shift->offset));
    return reach;
  }

  // Over the variables that no loop scans yet.
  polyhedral::Dependence unscheduledPart(const Dependence& dependence,
                                         const std::map<int, int>& position) const {
    polyhedral::Dependence edge;
    edge.sink = position.at(dependence.sink);
    edge.source = position.at(dependence.source);
    edge.sinkVars = unscheduled_.vars[static_cast<size_t>(dependence.sink)];
    const auto& all = statements_.list[static_cast<size_t>(dependence.source)].vars;
    for (Var var : unscheduled_.vars[static_cast<size_t>(dependence.source)])
      edge.sourceVars.push_back(dependence.sourceVars[static_cast<size_t>(
          std::find(all.begin(), all.end(), var) - all.begin())]);
    std::vector<Var> both = edge.sinkVars;
    both.insert(both.end(), edge.sourceVars.begin(), edge.sourceVars.end());
    edge.relation = dependence.relation.projectOnto(both);
    return edge;
  }

  // What the loop's own order does not satisfy: the dependences (or parts of them) within one
  // iteration.
  std::vector<Dependence> dependencesInside(const Group& group,
                                            const std::vector<Dependence>& dependences) const {
    const LoopChoice& choice = *group.loop;
    const std::set<int> members(group.statements.begin(), group.statements.end());
    std::vector<Dependence> left;
    for (const Dependence& dependence : dependences) {
      if (!members.contains(dependence.source) || !members.contains(dependence.sink)) continue;
      const auto d = unscheduled_.finder().distance(dependence, choice.loopClass);
      if (!d) continue;
      const int64_t relative =
          choice.shift.at(dependence.sink) - choice.shift.at(dependence.source);
      if (d->isConstant()) {
        if (d->min + relative == 0) left.push_back(dependence);
        continue;
      }
      if (choice.descending ? d->max + relative < 0 : d->min + relative > 0) continue;
      Dependence within = dependence;
      IndexExpr sinkTime = choice.shift.at(dependence.sink),
                sourceTime = choice.shift.at(dependence.source);
      if (auto var = unscheduled_.varOf(dependence.sink, choice.loopClass))
        sinkTime = sinkTime + IndexExpr(*var);
      if (auto var = unscheduled_.varOf(dependence.source, choice.loopClass)) {
        const auto& vars = statements_.list[static_cast<size_t>(dependence.source)].vars;
        const auto k =
            static_cast<size_t>(std::find(vars.begin(), vars.end(), *var) - vars.begin());
        sourceTime = sourceTime + IndexExpr(dependence.sourceVars[k]);
      }
      within.relation =
          within.relation.intersect(polyhedral::Condition::equal(sinkTime, sourceTime));
      if (!within.relation.isEmpty()) left.push_back(std::move(within));
    }
    return left;
  }

  // Replaces the statement's variable of the loop's class by the loop variable.
  void enterLoop(int s, const LoopChoice& choice, const ScheduleNode& loop,
                 const std::vector<Var>& outerVars) {
    const auto at = static_cast<size_t>(s);
    Placed& placed = result_.placed[at];
    const int64_t shift = choice.shift.at(s);
    const std::optional<Var> var = unscheduled_.varOf(s, choice.loopClass);
    placed.loops.push_back(&loop);
    placed.scanned.push_back(var);
    placed.shift.push_back(shift);

    std::vector<Var> vars = outerVars;
    vars.push_back(loop.loopVar);
    auto& rest = unscheduled_.vars[at];
    if (var) {
      placed.instance[*var] = IndexExpr(loop.loopVar) - IndexExpr(shift);
      rest.erase(std::find(rest.begin(), rest.end(), *var));
    }
    vars.insert(vars.end(), rest.begin(), rest.end());
    if (var && shift == 0) {
      placed.domain = placed.domain.rename({{*var, loop.loopVar}}).projectOnto(vars);
      return;
    }
    Set wide = Set::universe(graph_.context(), vars);
    if (!var) {
      placed.domain = placed.domain.extendTo(vars).intersect(
          polyhedral::Condition::equal(IndexExpr(loop.loopVar), IndexExpr(shift)));
      return;
    }
    std::vector<IndexExpr> at_;
    for (Var own : placed.domain.vars())
      at_.push_back(own == *var ? placed.instance[*var] : IndexExpr(own));
    placed.domain = placed.domain.preimage(wide, at_);
  }

  void setBounds(ScheduleNode& loop, const std::vector<int>& statements,
                 const std::vector<Var>& outerVars) const {
    std::vector<Var> vars = outerVars;
    vars.push_back(loop.loopVar);
    std::vector<Set> domains;
    for (int s : statements)
      domains.push_back(result_.placed[static_cast<size_t>(s)].domain.projectOnto(vars));
    const LoopBounds bounds = boundsOver(domains, loop.loopVar);
    loop.lo = bounds.lo;
    loop.hi = bounds.hi;
  }

  const Graph& graph_;
  const Statements& statements_;
  bool scanWider_;
  Schedule result_;
  Unscheduled unscheduled_;
};

}  // namespace

Schedule makeSchedule(const Graph& graph, const Statements& statements,
                      const std::vector<Dependence>& dependences, bool scanWider) {
  return Scheduler(graph, statements, dependences, scanWider).run(dependences);
}

}  // namespace rlc::schedule
