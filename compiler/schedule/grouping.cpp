#include "compiler/schedule/grouping.h"

#include <algorithm>

#include "compiler/schedule/preferred_loops.h"
#include "compiler/schedule/sides.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

// One attempt to group the statements of a region.
class Grouping {
 public:
  Grouping(Unscheduled& unscheduled, const std::vector<int>& statements, const Edges& edges,
           bool insideParallel)
      : unscheduled_(unscheduled),
        list_(unscheduled.statements().list),
        edges_(edges),
        insideParallel_(insideParallel),
        all_(statements) {}

  // `split`: nodes whose equations need not share a loop. Returns a node to add to them, if there
  // is no way without.
  std::optional<NodeId> run(const std::set<int>& scanned, const std::set<NodeId>& split) {
    const auto together = equationsTogether(split);
    components_ = findComponents(all_, edges_, together);
    links_ = linksOf(components_, all_, edges_);
    for (size_t c = 0; c < components_.members.size(); ++c)
      if (components_.cyclic[c]) unscheduled_.alignFurther(components_.members[c], links_.inner[c]);
    const std::vector<ClassId> preference = unscheduled_.rankClasses(all_);
    for (size_t c = 0; c < components_.members.size(); ++c) {
      const std::vector<int>& members = components_.members[c];
      if (std::any_of(members.begin(), members.end(), [&](int s) { return scanned.contains(s); })) {
        options_.emplace_back();
        continue;
      }
      options_.push_back(
          unscheduled_.loopOptions(members, links_.inner[c], preference, insideParallel_));
      if (!options_.back().empty() || !components_.cyclic[c]) continue;
      if (const auto apart = nodeToSplit(members, together)) return apart;
    }
    if (!insideParallel_) {
      lanes_ = unscheduled_.laneClasses(components_, options_);
      preferLoops(unscheduled_, components_, links_, lanes_, options_);
    }
    sequential_ = insideParallel_ ? std::set<ClassId>(preference.begin(), preference.end())
                                  : unscheduled_.sequentialClasses(components_, options_);
    const std::vector<int> order = topologicalOrder();
    for (int component : order) place(static_cast<size_t>(component));
    delay(order);
    if (!insideParallel_) separateSides(groups_, edges_, unscheduled_);
    return std::nullopt;
  }

  std::vector<Group> take() { return std::move(groups_); }

 private:
  std::vector<std::vector<int>> equationsTogether(const std::set<NodeId>& split) const {
    std::map<NodeId, std::vector<int>> byNode;
    for (int s : all_) {
      const Statement& statement = list_[static_cast<size_t>(s)];
      const bool equation =
          statement.role == Statement::Role::Compute || statement.role == Statement::Role::Change;
      if (equation && !split.contains(statement.node) &&
          !unscheduled_.vars[static_cast<size_t>(s)].empty())
        byNode[statement.node].push_back(s);
    }
    std::vector<std::vector<int>> together;
    for (auto& [node, list] : byNode)
      if (list.size() > 1) together.push_back(std::move(list));
    return together;
  }

  std::optional<NodeId> nodeToSplit(const std::vector<int>& members,
                                    const std::vector<std::vector<int>>& together) const {
    for (const std::vector<int>& list : together)
      if (contains(members, list.front())) return list_[static_cast<size_t>(list.front())].node;
    return std::nullopt;
  }

  // Kahn's algorithm; among the ready components, the one whose first statement comes first. What
  // needs no loop of its own comes before all others as soon as it can: then it stands behind what
  // it reads, not between loops that could be one.
  std::vector<int> topologicalOrder() const {
    const auto early = [&](int c) {
      const auto at = static_cast<size_t>(c);
      const auto role = list_[static_cast<size_t>(components_.members[at].front())].role;
      if (components_.members[at].size() > 1) return false;
      return role == Statement::Role::Init ||
             (role == Statement::Role::Compute && options_[at].empty() && !components_.cyclic[at]);
    };
    std::vector<int> waiting(components_.members.size());
    for (const auto& list : components_.successors)
      for (int to : list) ++waiting[static_cast<size_t>(to)];
    std::set<std::pair<bool, int>> ready;  // false first
    for (size_t c = 0; c < waiting.size(); ++c)
      if (waiting[c] == 0) ready.insert({!early(static_cast<int>(c)), static_cast<int>(c)});
    std::vector<int> order;
    while (!ready.empty()) {
      const int c = ready.begin()->second;
      ready.erase(ready.begin());
      order.push_back(c);
      for (int to : components_.successors[static_cast<size_t>(c)])
        if (--waiting[static_cast<size_t>(to)] == 0) ready.insert({!early(to), to});
    }
    return order;
  }

  void place(size_t c) {
    const std::vector<int>& members = components_.members[c];
    auto& options = options_[c];
    size_t target = groups_.size();
    LoopChoice choice;
    if (!options.empty()) {
      choice = options.front();
      target = chooseGroup(choice, links_.incoming[c]);
      const bool waits = sumsOver(c, choice.loopClass);
      if (target == groups_.size() && !waits) target = joinEarlier(c, choice);
      if (target == groups_.size() && takeLanesInside(c)) {
        choice = options.front();
        target = chooseGroup(choice, links_.incoming[c]);
      }
      if (target == groups_.size()) target = joinEarlier(c, choice);
      if (target == groups_.size()) target = followLoop(c, choice);
    }
    if (target == groups_.size()) {
      groups_.emplace_back();
      groups_.back().scan = options.empty() && components_.cyclic[c];
      if (!options.empty()) groups_.back().loop = choice;
    }
    for (int s : members) {
      groups_[target].statements.push_back(s);
      groupOf_[s] = target;
    }
  }

  // A component of a reduction over this index has its result when a loop over it is through: in
  // the loop that it reads it would add up a part for each thread.
  bool sumsOver(size_t c, ClassId loopClass) const {
    const std::vector<int>& members = components_.members[c];
    return std::any_of(members.begin(), members.end(), [&](int s) {
      const Statement& statement = list_[static_cast<size_t>(s)];
      if (statement.role != Statement::Role::Update) return false;
      const std::optional<Var> var = unscheduled_.varOf(s, loopClass);
      const auto& bound =
          unscheduled_.statements().scheduledBound[static_cast<size_t>(statement.node)];
      return var && contains(bound, *var);
    });
  }

  // For what reads a simulation but has to wait for all of its lanes, their index is the inner one:
  // its lanes, too. Puts another parallel index first, if there is one.
  bool takeLanesInside(size_t c) {
    auto& options = options_[c];
    const std::vector<int>& members = components_.members[c];
    const ClassId front = options.front().loopClass;
    if (!options.front().parallel || !lanes_.contains(front)) return false;
    const int coverage = unscheduled_.coverageOf(members, front);
    const auto outer = std::find_if(options.begin(), options.end(), [&](const LoopChoice& choice) {
      return choice.parallel && !lanes_.contains(choice.loopClass) &&
             unscheduled_.coverageOf(members, choice.loopClass) == coverage &&
             unscheduled_.extentOf(members, choice.loopClass) > 1;
    });
    if (outer == options.end()) return false;
    // Reads the simulation, or what has its lanes inside already.
    const bool reads = std::any_of(
        links_.incoming[c].begin(), links_.incoming[c].end(), [&](const Dependence* edge) {
          const auto& loop = groups_[groupOf_.at(edge->source)].loop;
          return loop && (loop->loopClass == front ||
                          (loop->parallel && loop->loopClass == outer->loopClass &&
                           unscheduled_.varOf(edge->source, front)));
        });
    if (!reads) return false;
    std::rotate(options.begin(), outer, outer + 1);
    return true;
  }

  // What goes in order along the index of a loop that it reads goes along with that loop, although
  // another index of it is parallel: then it is there as soon as what it reads is, and of that a
  // window is enough. So does a sum over that other index, whatever it is along this one. The
  // group, or groups_.size().
  size_t followLoop(size_t c, LoopChoice& choice) {
    const bool sums = sumsOver(c, choice.loopClass);
    for (const LoopChoice& option : options_[c]) {
      if (option.parallel && !sums) continue;
      const bool follows = std::any_of(
          links_.incoming[c].begin(), links_.incoming[c].end(), [&](const Dependence* edge) {
            const auto& loop = groups_[groupOf_.at(edge->source)].loop;
            return loop && !loop->parallel && loop->loopClass == option.loopClass;
          });
      if (!follows) continue;
      LoopChoice joining = option;
      const size_t target = chooseGroup(joining, links_.incoming[c]);
      if (target == groups_.size()) continue;
      choice = joining;
      return target;
    }
    return groups_.size();
  }

  // What reads a loop over its own index, and also reads what stands behind that loop but does not
  // depend on it, shares the loop once the latter stands before it. The group, or groups_.size().
  size_t joinEarlier(size_t c, LoopChoice& choice) {
    std::set<size_t> read;
    for (const Dependence* edge : links_.incoming[c]) read.insert(groupOf_.at(edge->source));
    for (size_t g : read) {
      const std::optional<LoopChoice>& loop = groups_[g].loop;
      if (!loop || loop->loopClass != choice.loopClass) continue;
      const std::set<size_t> needed = neededBehind(g, c);
      if (std::any_of(edges_.begin(), edges_.end(), [&](const Dependence* other) {
            return placedIn(other->source, {g}) && placedIn(other->sink, needed);
          }))
        continue;
      Edges between;
      for (const Dependence* other : links_.incoming[c])
        if (groupOf_.at(other->source) == g) between.push_back(other);
      if (join(*groups_[g].loop, choice, between)) return moveBehind(g, needed);
    }
    return groups_.size();
  }

  // The groups behind g that a component needs, directly or through others of them.
  std::set<size_t> neededBehind(size_t g, size_t c) const {
    std::set<size_t> needed;
    const auto add = [&](const Dependence* edge) {
      const size_t at = groupOf_.at(edge->source);
      return at > g && needed.insert(at).second;
    };
    for (const Dependence* edge : links_.incoming[c]) add(edge);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Dependence* edge : edges_)
        if (placedIn(edge->sink, needed) && add(edge)) changed = true;
    }
    return needed;
  }

  bool placedIn(int statement, const std::set<size_t>& groups) const {
    const auto group = groupOf_.find(statement);
    return group != groupOf_.end() && groups.contains(group->second);
  }

  // Puts these groups, which stand behind g, before it; returns its new place.
  size_t moveBehind(size_t g, const std::set<size_t>& needed) {
    std::vector<Group> reordered;
    const auto take = [&](size_t at) {
      for (int s : groups_[at].statements) groupOf_[s] = reordered.size();
      reordered.push_back(std::move(groups_[at]));
    };
    for (size_t at = 0; at < g; ++at) take(at);
    for (size_t at : needed) take(at);
    const size_t place = reordered.size();
    for (size_t at = g; at < groups_.size(); ++at)
      if (!needed.contains(at)) take(at);
    groups_ = std::move(reordered);
    return place;
  }

  // The group to join, or groups_.size(). Joining adjusts `choice`'s shifts and may turn the
  // group's loop sequential.
  size_t chooseGroup(LoopChoice& choice, const Edges& incoming) {
    size_t last = 0;  // the last group that this one depends on
    for (const Dependence* edge : incoming) last = std::max(last, groupOf_.at(edge->source));
    for (size_t g = last; g < groups_.size(); ++g) {
      if (!groups_[g].loop || groups_[g].loop->loopClass != choice.loopClass) continue;
      Edges between;
      for (const Dependence* edge : incoming)
        if (groupOf_.at(edge->source) == g) between.push_back(edge);
      if (join(*groups_[g].loop, choice, between)) return g;
    }
    return groups_.size();
  }

  bool join(LoopChoice& loop, LoopChoice& joining, const Edges& between) const {
    const LoopFinder& finder = unscheduled_.finder();
    if (!loop.eitherDirection && !joining.eitherDirection && loop.descending != joining.descending)
      return false;
    if (loop.parallel && joining.parallel && finder.shiftToJoin(loop, joining, between, true)) {
      loop.shift.insert(joining.shift.begin(), joining.shift.end());
      loop.eitherDirection = loop.eitherDirection && joining.eitherDirection;
      return true;
    }
    if ((loop.parallel || joining.parallel) && !sequential_.contains(loop.loopClass)) return false;
    LoopChoice merged = loop;
    merged.parallel = false;
    if (loop.eitherDirection) merged.descending = joining.descending;
    std::vector<bool> directions{merged.descending};
    if (loop.eitherDirection && joining.eitherDirection) directions = {false, true};
    for (bool descending : directions) {
      merged.descending = descending;
      const auto shift = finder.shiftToJoin(merged, joining, between, false);
      if (!shift || (loop.parallel && joining.parallel && barelyOverlap(loop, joining, *shift)))
        continue;
      for (auto& [statement, own] : joining.shift) own += *shift;
      merged.eitherDirection = false;
      merged.shift.insert(joining.shift.begin(), joining.shift.end());
      loop = std::move(merged);
      return true;
    }
    return false;
  }

  // Two loops of which the second begins when half of the first is through: together they would
  // keep more than half of what lies between them all the same.
  bool barelyOverlap(const LoopChoice& loop, const LoopChoice& joining, int64_t shift) const {
    std::vector<int> members;
    for (const auto& [statement, own] : loop.shift) members.push_back(statement);
    for (const auto& [statement, own] : joining.shift) members.push_back(statement);
    return 2 * std::abs(shift) > unscheduled_.extentOf(members, loop.loopClass);
  }

  // What was ready early joins the later loop over the same index where it is first read: then it
  // is alive for a step, not for all of them. Readers first, so that chains move as a whole.
  void delay(const std::vector<int>& order) {
    for (auto component = order.rbegin(); component != order.rend(); ++component) {
      const auto c = static_cast<size_t>(*component);
      const std::vector<int>& members = components_.members[c];
      const size_t from = groupOf_.at(members.front());
      if (options_[c].empty()) continue;
      size_t first = groups_.size();
      for (const Dependence* edge : links_.outgoing[c])
        first = std::min(first, groupOf_.at(edge->sink));
      if (first == groups_.size() || first <= from || !groups_[first].loop) continue;
      const LoopChoice* choice = choiceToDelay(c, groups_[first].loop->loopClass);
      if (!choice) continue;
      Edges between;
      for (const Dependence* edge : links_.outgoing[c])
        if (groupOf_.at(edge->sink) == first) between.push_back(edge);
      LoopChoice merged = *choice, joining = *groups_[first].loop;
      if (!join(merged, joining, between)) continue;
      groups_[first].loop = std::move(merged);
      for (int s : members) {
        groups_[first].statements.push_back(s);
        groupOf_[s] = first;
      }
      std::erase_if(groups_[from].statements, [&](int s) { return groupOf_.at(s) == first; });
    }
    std::erase_if(groups_, [](const Group& group) { return group.statements.empty(); });
  }

  // The choice over this class by which a component may move into a later loop: its own, or any of
  // what only sets sums to 0, which costs nothing there and would else be kept for all points, and
  // of what is computed again in order not to be kept.
  const LoopChoice* choiceToDelay(size_t c, ClassId loopClass) const {
    const std::vector<int>& members = components_.members[c];
    const bool anyLoop = std::all_of(members.begin(), members.end(), [&](int s) {
      const Statement& statement = list_[static_cast<size_t>(s)];
      return statement.role == Statement::Role::Init ||
             (statement.node >= 0 && unscheduled_.graph().node(statement.node).again);
    });
    for (const LoopChoice& choice : options_[c]) {
      if (choice.loopClass == loopClass) return &choice;
      if (!anyLoop) break;
    }
    return nullptr;
  }

  Unscheduled& unscheduled_;
  const std::vector<Statement>& list_;
  const Edges& edges_;
  const bool insideParallel_;
  const std::vector<int>& all_;
  Components components_;
  Links links_;
  std::vector<std::vector<LoopChoice>> options_;  // [component]
  std::set<ClassId> lanes_, sequential_;
  std::vector<Group> groups_;
  std::map<int, size_t> groupOf_;  // [statement]
};

}  // namespace

std::vector<Group> formGroups(Unscheduled& unscheduled, const std::vector<int>& statements,
                              const std::vector<Dependence>& dependences, bool insideParallel,
                              const std::set<int>& scanned) {
  Edges edges;
  for (const Dependence& dependence : dependences) edges.push_back(&dependence);
  // The equations of a tensor stay together, so that its storage can be a window; those that can't
  // are split.
  std::set<NodeId> split;
  const Alignment before = unscheduled.alignment;
  while (true) {
    unscheduled.alignment = before;
    Grouping grouping(unscheduled, statements, edges, insideParallel);
    const auto apart = grouping.run(scanned, split);
    if (!apart) return grouping.take();
    split.insert(*apart);
  }
}

}  // namespace rlc::schedule
