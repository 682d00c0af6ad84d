#include "compiler/schedule/scheduler.h"

#include <algorithm>
#include <set>

#include "compiler/schedule/components.h"
#include "compiler/schedule/loop_bounds.h"
#include "compiler/schedule/loop_choice.h"
#include "compiler/schedule/work.h"

namespace rlc::schedule {

namespace {

constexpr double kSequentialShare = 0.2;
constexpr int64_t kFewestSharedLanes = 16;  // iterations of a loop whose lanes others follow
constexpr double kContraction = 64;  // operations at a point of the range
constexpr double kKeptForContraction = 16384;  // values of a lane: those of 16 lanes fill a megabyte, about what a core's cache holds

// Statements that will share a loop, or a single statement without one.
struct Group {
  std::optional<LoopChoice> loop;
  bool alone = false;  // nothing else may join
  bool scan = false;   // statements that no single index orders
  std::vector<int> statements;
};

class Scheduler {
 public:
  Scheduler(const Graph& graph, const Statements& statements, const std::vector<Dependence>& dependences, bool scanWider)
      : graph_(graph),
        statements_(statements),
        scanWider_(scanWider),
        classOf_(alignVariables(statements, dependences)),
        finder_(statements, [this](int s, ClassId c) { return remainingVar(s, c); }) {
    result_.varCount = graph.dimCount();
    for (const Statement& statement : statements.list) {
      remaining_.push_back(statement.vars);
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
  std::optional<Var> remainingVar(int statement, ClassId loopClass) const {
    for (Var var : remaining_[static_cast<size_t>(statement)])
      if (classOf_.at(var) == loopClass) return var;
    return std::nullopt;
  }

  std::vector<ScheduleNodePtr> scheduleRegion(const std::vector<int>& statements,
                                              const std::vector<Dependence>& dependences,
                                              const std::vector<const ScheduleNode*>& outer) {
    if (!scanWider_) return scheduleGroups(statements, dependences, outer, {});
    const auto remaining = remaining_;
    const auto placed = result_.placed;
    const auto names = result_.loopNames;
    std::set<int> scanned;  // statements whose components get no loop here
    while (true) {
      try {
        return scheduleGroups(statements, dependences, outer, scanned);
      } catch (const NoOrder& none) {
        if (!scanned.insert(none.statement).second) throw;
        remaining_ = remaining;
        result_.placed = placed;
        result_.loopNames = names;
        result_.varCount = graph_.dimCount() + static_cast<int>(names.size());
      }
    }
  }

  std::vector<ScheduleNodePtr> scheduleGroups(const std::vector<int>& statements, const std::vector<Dependence>& dependences,
                                              const std::vector<const ScheduleNode*>& outer, const std::set<int>& scanned) {
    std::vector<Group> groups = formGroups(statements, dependences, outer, scanned);
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
    return result;
  }

  // ---- grouping ----

  std::vector<Group> formGroups(const std::vector<int>& statements, const std::vector<Dependence>& dependences,
                                const std::vector<const ScheduleNode*>& outer, const std::set<int>& scanned) {
    std::vector<const Dependence*> edges;
    for (const Dependence& dependence : dependences) edges.push_back(&dependence);
    // The equations of a tensor stay together, so that its storage can be a window; those that can't are split.
    std::set<NodeId> split;
    while (true) {
      std::optional<NodeId> apart;
      auto groups = tryGroups(statements, edges, outer, scanned, split, apart);
      if (!apart) return groups;
      split.insert(*apart);
    }
  }

  std::vector<std::vector<int>> equationsTogether(const std::vector<int>& statements, const std::set<NodeId>& split) const {
    std::map<NodeId, std::vector<int>> byNode;
    for (int s : statements) {
      const Statement& statement = statements_.list[static_cast<size_t>(s)];
      if (statement.role == Statement::Role::Compute && !split.contains(statement.node) && !remaining_[static_cast<size_t>(s)].empty())
        byNode[statement.node].push_back(s);
    }
    std::vector<std::vector<int>> together;
    for (auto& [node, list] : byNode)
      if (list.size() > 1) together.push_back(std::move(list));
    return together;
  }

  // One attempt; sets `apart` to a node whose equations can't share a loop.
  std::vector<Group> tryGroups(const std::vector<int>& statements, const std::vector<const Dependence*>& edges,
                               const std::vector<const ScheduleNode*>& outer, const std::set<int>& scanned,
                               const std::set<NodeId>& split, std::optional<NodeId>& apart) {
    const auto together = equationsTogether(statements, split);
    const Components components = findComponents(statements, edges, together);
    std::map<int, int> position;
    for (size_t k = 0; k < statements.size(); ++k) position[statements[k]] = static_cast<int>(k);
    const auto componentOf = [&](int s) { return components.of[static_cast<size_t>(position.at(s))]; };

    std::vector<std::vector<const Dependence*>> inner(components.members.size()), incoming(components.members.size());
    for (const Dependence* edge : edges) {
      const auto to = static_cast<size_t>(componentOf(edge->sink));
      (componentOf(edge->source) == static_cast<int>(to) ? inner : incoming)[to].push_back(edge);
    }
    const std::vector<ClassId> preference = rankClasses(statements);
    const bool insideParallel = std::any_of(outer.begin(), outer.end(), [](const auto* loop) { return loop->parallel; });

    std::vector<std::vector<LoopChoice>> options;
    for (size_t c = 0; c < components.members.size(); ++c) {
      const std::vector<int>& members = components.members[c];
      if (std::any_of(members.begin(), members.end(), [&](int s) { return scanned.contains(s); })) {
        options.emplace_back();
        continue;
      }
      options.push_back(loopOptions(members, inner[c], preference, insideParallel));
      if (!options.back().empty() || !components.cyclic[c]) continue;
      apart = nodeToSplit(components.members[c], together);
      if (apart) return {};
    }
    const std::set<ClassId> lanes = insideParallel ? std::set<ClassId>() : laneClasses(components, options);
    const std::set<ClassId> sequential = insideParallel ? std::set<ClassId>(preference.begin(), preference.end())
                                                        : sequentialClasses(components, options);

    std::vector<Group> groups;
    std::map<int, size_t> groupOf;  // statement
    const std::vector<int> order = topologicalOrder(components);
    for (int component : order) {
      const auto c = static_cast<size_t>(component);
      size_t target = groups.size();
      LoopChoice choice;
      const bool alone = insideParallel && isContraction(components.members[c]) && !runsAlong(components.members[c], edges, groupOf);
      if (!options[c].empty()) {
        choice = options[c].front();
        if (!alone) target = chooseGroup(groups, groupOf, choice, incoming[c], sequential.contains(choice.loopClass));
        if (target == groups.size() && takeLanesInside(options[c], components.members[c], lanes, groups, groupOf, incoming[c])) {
          choice = options[c].front();
          target = chooseGroup(groups, groupOf, choice, incoming[c], sequential.contains(choice.loopClass));
        }
      }
      if (target == groups.size()) {
        groups.emplace_back();
        groups.back().scan = options[c].empty() && components.cyclic[c];
        if (!options[c].empty()) groups.back().loop = choice;
        groups.back().alone = alone;
      }
      for (int s : components.members[c]) {
        groups[target].statements.push_back(s);
        groupOf[s] = target;
      }
    }
    delay(components, order, options, edges, sequential, groups, groupOf);
    return groups;
  }

  // What was ready early joins the later loop over the same index where it is first read: then it is alive for a step, not for all of
  // them. Readers first, so that chains move as a whole.
  void delay(const Components& components, const std::vector<int>& order, const std::vector<std::vector<LoopChoice>>& options,
             const std::vector<const Dependence*>& edges, const std::set<ClassId>& sequential, std::vector<Group>& groups,
             std::map<int, size_t>& groupOf) const {
    for (auto component = order.rbegin(); component != order.rend(); ++component) {
      const auto c = static_cast<size_t>(*component);
      const std::vector<int>& members = components.members[c];
      const size_t from = groupOf.at(members.front());
      if (options[c].empty() || groups[from].alone) continue;
      const std::set<int> own(members.begin(), members.end());
      std::optional<size_t> first;
      for (const Dependence* edge : edges)
        if (own.contains(edge->source) && !own.contains(edge->sink))
          first = std::min(first.value_or(groups.size()), groupOf.at(edge->sink));
      if (!first || *first <= from || !groups[*first].loop || groups[*first].alone) continue;
      const LoopChoice& choice = options[c].front();
      if (groups[*first].loop->loopClass != choice.loopClass) continue;
      std::vector<const Dependence*> between;
      for (const Dependence* edge : edges)
        if (own.contains(edge->source) && !own.contains(edge->sink) && groupOf.at(edge->sink) == *first) between.push_back(edge);
      LoopChoice merged = choice, joining = *groups[*first].loop;
      if (!join(merged, joining, between, sequential.contains(choice.loopClass))) continue;
      groups[*first].loop = std::move(merged);
      for (int s : members) {
        groups[*first].statements.push_back(s);
        groupOf[s] = *first;
      }
      std::erase_if(groups[from].statements, [&](int s) { return own.contains(s); });
    }
    std::erase_if(groups, [](const Group& group) { return group.statements.empty(); });
  }

  // An accumulation into many elements runs best with its range innermost, so it shares the loop over the range with nothing.
  bool isContraction(const std::vector<int>& members) const {
    const Statement& statement = statements_.list[static_cast<size_t>(members.front())];
    return members.size() == 1 && statement.role == Statement::Role::Update &&
           operationsOf(graph_, statements_, statement) >= kContraction;
  }

  // Whether what a contraction reads is computed in one loop and read there or by reductions only, and is so much that keeping all
  // of it until the loop's end costs more than adding up along with it: then it does, and what it reads becomes a window.
  bool runsAlong(const std::vector<int>& members, const std::vector<const Dependence*>& edges,
                 const std::map<int, size_t>& groupOf) const {
    std::optional<size_t> producers;
    double kept = 0.0;
    for (const Dependence* edge : edges) {
      if (edge->sink != members.front() || edge->orders) continue;
      const auto group = groupOf.find(edge->source);
      if (group == groupOf.end() || (producers && *producers != group->second)) return false;
      producers = group->second;
      for (const Dependence* other : edges)
        if (other->source == edge->source && groupOf.contains(other->sink) && groupOf.at(other->sink) != *producers) return false;
      for (const Dependence* other : edges)
        if (other->source == edge->source && !groupOf.contains(other->sink) &&
            statements_.list[static_cast<size_t>(other->sink)].role != Statement::Role::Update)
          return false;
      double elements = 1.0;
      const pdg::Node& node = graph_.node(statements_.list[static_cast<size_t>(edge->source)].node);
      for (const IndexExpr& extent : node.shape) elements *= static_cast<double>(extent.asConstant().value_or(1));
      kept += elements * pointsOf(edge->source);
    }
    return producers && kept > kKeptForContraction;
  }

  std::optional<NodeId> nodeToSplit(const std::vector<int>& members, const std::vector<std::vector<int>>& together) const {
    for (const std::vector<int>& list : together)
      if (std::find(members.begin(), members.end(), list.front()) != members.end())
        return statements_.list[static_cast<size_t>(list.front())].node;
    return std::nullopt;
  }

  // Classes along which a good part of the work runs in sequence anyway: what could run in parallel joins those loops.
  std::set<ClassId> sequentialClasses(const Components& components, const std::vector<std::vector<LoopChoice>>& options) const {
    std::map<ClassId, double> total, forced;
    for (size_t c = 0; c < components.members.size(); ++c) {
      if (options[c].empty()) continue;
      double work = 0.0;
      for (int s : components.members[c])
        work += operationsOf(graph_, statements_, statements_.list[static_cast<size_t>(s)]) *
                pointsOf(s);
      const LoopChoice& choice = options[c].front();
      total[choice.loopClass] += work;
      if (!choice.parallel) forced[choice.loopClass] += work;
    }
    std::set<ClassId> result;
    for (const auto& [id, work] : forced)
      if (work >= kSequentialShare * total[id]) result.insert(id);
    // What runs along an index that ends on a condition ends with it.
    for (const pdg::EndingIndex& index : statements_.endings)
      if (const auto found = classOf_.find(index.dim); found != classOf_.end()) result.insert(found->second);
    return result;
  }

  double pointsOf(int s) const {
    double points = 1.0;
    const Set& domain = result_.placed[static_cast<size_t>(s)].domain;
    for (Var var : remaining_[static_cast<size_t>(s)]) {
      const auto lo = domain.minimum(IndexExpr(var)), hi = domain.maximum(IndexExpr(var));
      if (lo && hi) points *= static_cast<double>(*hi - *lo + 1);
    }
    return points;
  }

  std::string describe(int s) const {
    const Statement& statement = statements_.list[static_cast<size_t>(s)];
    if (statement.node < 0) return "a sink";
    const pdg::Node& node = graph_.node(statement.node);
    return "node " + std::to_string(node.id) + (node.name.empty() ? "" : " `" + node.name + "`");
  }

  // Classes by how many statements of the region have them (a loop that all share keeps the region together), then as declared.
  std::vector<ClassId> rankClasses(const std::vector<int>& statements) const {
    std::map<ClassId, int> coverage;
    for (int s : statements)
      for (Var var : remaining_[static_cast<size_t>(s)]) ++coverage[classOf_.at(var)];
    std::vector<ClassId> ranked;
    for (const auto& [id, count] : coverage) ranked.push_back(id);
    std::stable_sort(ranked.begin(), ranked.end(), [&](ClassId a, ClassId b) { return coverage[a] > coverage[b]; });
    return ranked;
  }

  std::vector<LoopChoice> loopOptions(const std::vector<int>& members, const std::vector<const Dependence*>& inner,
                                      const std::vector<ClassId>& preference, bool insideParallel) const {
    std::vector<LoopChoice> options;
    for (ClassId id : preference) {
      const bool any = std::any_of(members.begin(), members.end(), [&](int s) { return remainingVar(s, id).has_value(); });
      if (!any) continue;
      if (auto choice = finder_.find(members, inner, id)) options.push_back(std::move(*choice));
    }
    // Among classes of the same coverage a parallel loop goes outside a sequential one: then a lane keeps its state for all steps.
    if (!insideParallel)
      std::stable_sort(options.begin(), options.end(), [&](const LoopChoice& a, const LoopChoice& b) {
        return coverageOf(members, a.loopClass) == coverageOf(members, b.loopClass) && a.parallel && !b.parallel;
      });
    return options;
  }

  // A simulation has to take the one index that is parallel for its lanes, so what it writes lies lane by lane.
  std::set<ClassId> laneClasses(const Components& components, const std::vector<std::vector<LoopChoice>>& options) const {
    std::set<ClassId> lanes;
    for (size_t c = 0; c < options.size(); ++c) {
      if (!components.cyclic[c] || options[c].empty() || !options[c].front().parallel) continue;
      const ClassId id = options[c].front().loopClass;
      const auto parallel = std::count_if(options[c].begin(), options[c].end(), [](const LoopChoice& choice) { return choice.parallel; });
      if (parallel == 1 && extentOf(components.members[c], id) >= kFewestSharedLanes) lanes.insert(id);
    }
    return lanes;
  }

  // For what reads a simulation but has to wait for all of its lanes, their index is the inner one: its lanes, too. Puts another parallel
  // index first, if there is one.
  bool takeLanesInside(std::vector<LoopChoice>& options, const std::vector<int>& members, const std::set<ClassId>& lanes,
                       const std::vector<Group>& groups, const std::map<int, size_t>& groupOf,
                       const std::vector<const Dependence*>& incoming) const {
    const ClassId front = options.front().loopClass;
    if (!options.front().parallel || !lanes.contains(front)) return false;
    const int coverage = coverageOf(members, front);
    const auto outer = std::find_if(options.begin(), options.end(), [&](const LoopChoice& choice) {
      return choice.parallel && !lanes.contains(choice.loopClass) && coverageOf(members, choice.loopClass) == coverage &&
             extentOf(members, choice.loopClass) > 1;
    });
    if (outer == options.end()) return false;
    // Reads the simulation, or what has its lanes inside already.
    const bool reads = std::any_of(incoming.begin(), incoming.end(), [&](const Dependence* edge) {
      const auto& loop = groups[groupOf.at(edge->source)].loop;
      return loop && (loop->loopClass == front || (loop->parallel && loop->loopClass == outer->loopClass));
    });
    if (!reads) return false;
    std::rotate(options.begin(), outer, outer + 1);
    return true;
  }

  // Iterations of a loop over the class for these statements, at most.
  int64_t extentOf(const std::vector<int>& members, ClassId id) const {
    int64_t extent = 0;
    for (int s : members) {
      const auto var = remainingVar(s, id);
      if (!var) continue;
      const Set& domain = result_.placed[static_cast<size_t>(s)].domain;
      const auto lo = domain.minimum(IndexExpr(*var)), hi = domain.maximum(IndexExpr(*var));
      if (lo && hi) extent = std::max(extent, *hi - *lo + 1);
    }
    return extent;
  }

  int coverageOf(const std::vector<int>& members, ClassId id) const {
    return static_cast<int>(std::count_if(members.begin(), members.end(), [&](int s) { return remainingVar(s, id).has_value(); }));
  }

  // The group to join, or groups.size(). Joining adjusts `choice`'s shifts and may turn the group's loop sequential.
  size_t chooseGroup(std::vector<Group>& groups, const std::map<int, size_t>& groupOf, LoopChoice& choice,
                     const std::vector<const Dependence*>& incoming, bool mayTurnSequential) const {
    std::optional<size_t> last;  // the last group that this one depends on
    for (const Dependence* edge : incoming) {
      const size_t g = groupOf.at(edge->source);
      last = last ? std::max(*last, g) : g;
    }
    for (size_t g = last.value_or(0); g < groups.size(); ++g) {
      if (!groups[g].loop || groups[g].alone || groups[g].loop->loopClass != choice.loopClass) continue;
      std::vector<const Dependence*> between;
      for (const Dependence* edge : incoming)
        if (groupOf.at(edge->source) == g) between.push_back(edge);
      if (join(*groups[g].loop, choice, between, mayTurnSequential)) return g;
    }
    return groups.size();
  }

  bool join(LoopChoice& loop, LoopChoice& joining, const std::vector<const Dependence*>& between,
            bool mayTurnSequential) const {
    if (!loop.eitherDirection && !joining.eitherDirection && loop.descending != joining.descending) return false;
    if (loop.parallel && joining.parallel && finder_.shiftToJoin(loop, joining, between, true)) {
      loop.shift.insert(joining.shift.begin(), joining.shift.end());
      loop.eitherDirection = loop.eitherDirection && joining.eitherDirection;
      return true;
    }
    if ((loop.parallel || joining.parallel) && !mayTurnSequential) return false;
    LoopChoice merged = loop;
    merged.parallel = false;
    if (loop.eitherDirection) merged.descending = joining.descending;
    std::vector<bool> directions{merged.descending};
    if (loop.eitherDirection && joining.eitherDirection) directions = {false, true};
    for (bool descending : directions) {
      merged.descending = descending;
      const auto shift = finder_.shiftToJoin(merged, joining, between, false);
      if (!shift) continue;
      for (auto& [statement, own] : joining.shift) own += *shift;
      merged.eitherDirection = false;
      merged.shift.insert(joining.shift.begin(), joining.shift.end());
      loop = std::move(merged);
      return true;
    }
    return false;
  }

  // Kahn's algorithm; among the ready components, the one whose first statement comes first, and the beginnings of reductions before
  // all others, so that none stands between loops that could be one.
  std::vector<int> topologicalOrder(const Components& components) const {
    const auto begins = [&](int c) {
      const auto& members = components.members[static_cast<size_t>(c)];
      return members.size() == 1 && statements_.list[static_cast<size_t>(members.front())].role == Statement::Role::Init;
    };
    std::vector<int> order;
    for (size_t c = 0; c < components.members.size(); ++c)
      if (begins(static_cast<int>(c))) order.push_back(static_cast<int>(c));
    std::vector<int> waiting(components.members.size());
    for (const auto& list : components.successors)
      for (int to : list) ++waiting[static_cast<size_t>(to)];
    std::set<int> ready;
    for (int c : order)
      for (int to : components.successors[static_cast<size_t>(c)]) --waiting[static_cast<size_t>(to)];
    for (size_t c = 0; c < waiting.size(); ++c)
      if (waiting[c] == 0 && !begins(static_cast<int>(c))) ready.insert(static_cast<int>(c));
    while (!ready.empty()) {
      const int c = *ready.begin();
      ready.erase(ready.begin());
      order.push_back(c);
      for (int to : components.successors[static_cast<size_t>(c)])
        if (--waiting[static_cast<size_t>(to)] == 0) ready.insert(to);
    }
    return order;
  }

  // ---- loops ----

  ScheduleNodePtr makeLoop(const Group& group, const std::vector<Dependence>& dependences,
                           const std::vector<const ScheduleNode*>& outer) {
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

  // isl's scheduler for what shifts along one index can't order (a wavefront).
  ScheduleNodePtr makeScan(const Group& group, const std::vector<Dependence>& dependences) {
    std::map<int, int> position;
    std::vector<Set> domains;
    for (int s : group.statements) {
      position[s] = static_cast<int>(domains.size());
      domains.push_back(result_.placed[static_cast<size_t>(s)].domain.projectOnto(remaining_[static_cast<size_t>(s)]));
    }
    std::vector<polyhedral::Dependence> inside;
    for (const Dependence& dependence : dependences) {
      if (!position.contains(dependence.source) || !position.contains(dependence.sink)) continue;
      polyhedral::Dependence edge;
      edge.sink = position[dependence.sink];
      edge.source = position[dependence.source];
      edge.sinkVars = remaining_[static_cast<size_t>(dependence.sink)];
      const auto& all = statements_.list[static_cast<size_t>(dependence.source)].vars;
      for (Var var : remaining_[static_cast<size_t>(dependence.source)])
        edge.sourceVars.push_back(dependence.sourceVars[static_cast<size_t>(std::find(all.begin(), all.end(), var) - all.begin())]);
      std::vector<Var> both = edge.sinkVars;
      both.insert(both.end(), edge.sourceVars.begin(), edge.sourceVars.end());
      edge.relation = dependence.relation.projectOnto(both);
      inside.push_back(std::move(edge));
    }
    const auto schedule = polyhedral::scheduleWithIsl(graph_.context(), domains, inside);
    if (!schedule)
      throw NoOrder("no loop orders the " + std::to_string(group.statements.size()) +
                          " statements of a cycle, one of them of " + describe(group.statements.front()),
                    group.statements.front());
    std::vector<polyhedral::ScheduledStatement> timed;
    for (size_t k = 0; k < group.statements.size(); ++k)
      timed.push_back({group.statements[k], domains[k], schedule->time[k]});
    std::vector<Var> loopVars;
    for (size_t k = 0; k < schedule->parallel.size(); ++k) {
      loopVars.push_back(Var::dim(result_.varCount++));
      result_.loopNames.push_back("w" + std::to_string(k));
    }
    auto node = std::make_unique<ScheduleNode>();
    node->kind = ScheduleNode::Kind::Scan;
    node->scan = polyhedral::scan(graph_.context(), timed, loopVars);
    node->statements = group.statements;
    return node;
  }

  // What the loop's own order does not satisfy: the dependences (or parts of them) within one iteration.
  std::vector<Dependence> dependencesInside(const Group& group, const std::vector<Dependence>& dependences) const {
    const LoopChoice& choice = *group.loop;
    const std::set<int> members(group.statements.begin(), group.statements.end());
    std::vector<Dependence> left;
    for (const Dependence& dependence : dependences) {
      if (!members.contains(dependence.source) || !members.contains(dependence.sink)) continue;
      const auto d = finder_.distance(dependence, choice.loopClass);
      if (!d) continue;
      const int64_t relative = choice.shift.at(dependence.sink) - choice.shift.at(dependence.source);
      if (d->isConstant()) {
        if (d->min + relative == 0) left.push_back(dependence);
        continue;
      }
      if (choice.descending ? d->max + relative < 0 : d->min + relative > 0) continue;
      Dependence within = dependence;
      IndexExpr sinkTime = choice.shift.at(dependence.sink), sourceTime = choice.shift.at(dependence.source);
      if (auto var = remainingVar(dependence.sink, choice.loopClass)) sinkTime = sinkTime + IndexExpr(*var);
      if (auto var = remainingVar(dependence.source, choice.loopClass)) {
        const auto& vars = statements_.list[static_cast<size_t>(dependence.source)].vars;
        const auto k = static_cast<size_t>(std::find(vars.begin(), vars.end(), *var) - vars.begin());
        sourceTime = sourceTime + IndexExpr(dependence.sourceVars[k]);
      }
      within.relation = within.relation.intersect(polyhedral::Condition::equal(sinkTime, sourceTime));
      if (!within.relation.isEmpty()) left.push_back(std::move(within));
    }
    return left;
  }

  // Replaces the statement's variable of the loop's class by the loop variable.
  void enterLoop(int s, const LoopChoice& choice, const ScheduleNode& loop, const std::vector<Var>& outerVars) {
    const auto at = static_cast<size_t>(s);
    Placed& placed = result_.placed[at];
    const int64_t shift = choice.shift.at(s);
    const std::optional<Var> var = remainingVar(s, choice.loopClass);
    placed.loops.push_back(&loop);
    placed.scanned.push_back(var);
    placed.shift.push_back(shift);

    std::vector<Var> vars = outerVars;
    vars.push_back(loop.loopVar);
    auto& rest = remaining_[at];
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
      placed.domain = placed.domain.extendTo(vars).intersect(polyhedral::Condition::equal(IndexExpr(loop.loopVar), IndexExpr(shift)));
      return;
    }
    std::vector<IndexExpr> at_;
    for (Var own : placed.domain.vars())
      at_.push_back(own == *var ? placed.instance[*var] : IndexExpr(own));
    placed.domain = placed.domain.preimage(wide, at_);
  }

  void setBounds(ScheduleNode& loop, const std::vector<int>& statements, const std::vector<Var>& outerVars) const {
    std::vector<Var> vars = outerVars;
    vars.push_back(loop.loopVar);
    std::vector<Set> domains;
    for (int s : statements) domains.push_back(result_.placed[static_cast<size_t>(s)].domain.projectOnto(vars));
    const LoopBounds bounds = boundsOver(domains, loop.loopVar);
    loop.lo = bounds.lo;
    loop.hi = bounds.hi;
  }

  const Graph& graph_;
  const Statements& statements_;
  bool scanWider_;
  std::map<Var, ClassId> classOf_;
  LoopFinder finder_;
  std::vector<std::vector<Var>> remaining_;  // [statement] variables that no loop scans yet
  Schedule result_;
};

}  // namespace

Schedule makeSchedule(const Graph& graph, const Statements& statements,
                      const std::vector<Dependence>& dependences, bool scanWider) {
  return Scheduler(graph, statements, dependences, scanWider).run(dependences);
}

}  // namespace rlc::schedule
