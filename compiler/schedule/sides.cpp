#include "compiler/schedule/sides.h"

#include <algorithm>

#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

// Operations of a side: less is not worth a thread of its own, more is shared better loop by loop.
constexpr double kLeastSide = 1e6, kMostSide = 3e7;
constexpr double kLittle = 0.05;  // of what a side computes
constexpr double kAlike = 0.5;    // the shorter side beside the longer one

class Separation {
 public:
  Separation(std::vector<Group>& groups, const Edges& edges, const Unscheduled& unscheduled)
      : groups_(groups), edges_(edges), unscheduled_(unscheduled) {}

  void run() {
    std::vector<size_t> sides;
    for (size_t g = 0; g < groups_.size(); ++g)
      if (isSide(groups_[g])) sides.push_back(g);
    for (size_t k = 0; k < sides.size(); ++k)
      for (size_t other = k + 1; other < sides.size(); ++other)
        if (separate(sides[k], sides[other])) {
          for (size_t behind = k; behind < sides.size(); ++behind) ++sides[behind];
          break;
        }
  }

 private:
  // What the second needs of the first gets a group in front of that.
  bool separate(size_t first, size_t second) {
    Group little;
    little.loop = groups_[first].loop;
    little.statements = neededBy(second, first);
    std::vector<int> rest;
    for (int s : groups_[first].statements)
      if (!contains(little.statements, s)) rest.push_back(s);
    const double work = unscheduled_.workOf(rest),
                 other = unscheduled_.workOf(groups_[second].statements);
    if (little.statements.empty() || rest.empty() ||
        unscheduled_.workOf(little.statements) > kLittle * work ||
        std::min(work, other) < kAlike * std::max(work, other))
      return false;
    groups_[first].statements = std::move(rest);
    groups_.insert(groups_.begin() + static_cast<std::ptrdiff_t>(first), std::move(little));
    return true;
  }

  bool isSide(const Group& group) const {
    if (!group.loop || !group.loop->parallel) return false;
    const double work = unscheduled_.workOf(group.statements);
    return work >= kLeastSide && work <= kMostSide;
  }

  NodeId nodeOf(int s) const { return unscheduled_.statements().list[static_cast<size_t>(s)].node; }

  // The statements of a group that a later one reads, directly or through others.
  std::vector<int> neededBy(size_t later, size_t earlier) const {
    std::set<int> between;
    for (size_t at = earlier; at <= later; ++at)
      between.insert(groups_[at].statements.begin(), groups_[at].statements.end());
    std::set<int> needed(groups_[later].statements.begin(), groups_[later].statements.end());
    for (bool changed = true; changed;) {
      changed = false;
      for (const Dependence* edge : edges_)
        if (needed.contains(edge->sink) && between.contains(edge->source))
          changed |= needed.insert(edge->source).second;
      // A tensor's equations stay together.
      for (int s : groups_[earlier].statements)
        if (std::any_of(needed.begin(), needed.end(),
                        [&](int other) { return nodeOf(other) == nodeOf(s); }))
          changed |= needed.insert(s).second;
    }
    std::vector<int> result;
    for (int s : groups_[earlier].statements)
      if (needed.contains(s)) result.push_back(s);
    return result;
  }

  std::vector<Group>& groups_;
  const Edges& edges_;
  const Unscheduled& unscheduled_;
};

}  // namespace

void separateSides(std::vector<Group>& groups, const Edges& edges, const Unscheduled& unscheduled) {
  Separation(groups, edges, unscheduled).run();
}

}  // namespace rlc::schedule
