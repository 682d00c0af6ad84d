#include "compiler/schedule/preferred_loops.h"

#include <algorithm>
#include <numeric>

namespace rlc::schedule {

namespace {

constexpr int64_t kManyLanes = 16;         // of a loop that fills the widest registers
constexpr double kMuchWork = 1000.0;       // operations of a point, beside which a loop is cheap
constexpr size_t kMostAlong = 64;          // components that are computed for one
constexpr double kNearElements = 65536.0;  // that stay in the second level's cache

class Preference {
 public:
  Preference(const Unscheduled& unscheduled, const Components& components, const Links& links,
             const std::set<ClassId>& lanes, std::vector<std::vector<LoopChoice>>& options)
      : unscheduled_(unscheduled),
        list_(unscheduled.statements().list),
        components_(components),
        links_(links),
        lanes_(lanes),
        options_(options) {}

  // What a simulation reads or is read by takes the simulation's lanes for its own where it has the
  // choice, so that they can share a loop: a draw for each lane and step, a reward. So does what
  // touches those.
  void followLanes() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t c = 0; c < options_.size(); ++c) {
        auto& options = options_[c];
        if (components_.cyclic[c] || options.empty() || !options.front().parallel ||
            lanes_.contains(options.front().loopClass))
          continue;
        const std::vector<int>& members = components_.members[c];
        const int coverage = unscheduled_.coverageOf(members, options.front().loopClass);
        const auto follows = [&](const LoopChoice& choice) {
          const auto sharesLanes = [&](int statement) {
            const auto& theirs = options_[links_.componentOf.at(statement)];
            return !theirs.empty() && theirs.front().parallel &&
                   theirs.front().loopClass == choice.loopClass;
          };
          return choice.parallel && lanes_.contains(choice.loopClass) &&
                 unscheduled_.coverageOf(members, choice.loopClass) == coverage &&
                 (std::any_of(links_.incoming[c].begin(), links_.incoming[c].end(),
                              [&](const Dependence* edge) { return sharesLanes(edge->source); }) ||
                  std::any_of(links_.outgoing[c].begin(), links_.outgoing[c].end(),
                              [&](const Dependence* edge) { return sharesLanes(edge->sink); }));
        };
        const auto lanes = std::find_if(options.begin(), options.end(), follows);
        if (lanes == options.end()) continue;
        putFirst(c, lanes);
        changed = true;
      }
    }
  }

  // Much work that waits for nothing along either of two indices takes the one that fills registers
  // with lanes, if only few iterations run along the other: the values of all steps of a simulation
  // of four environments. Where what lies between the loops then stays near.
  void leaveFewLanes() {
    manyLanes_.clear();
    for (size_t c = 0; c < options_.size(); ++c) manyLanes_.push_back(optionOfManyLanes(c));
    for (size_t c = 0; c < options_.size(); ++c) {
      const auto many = manyLanes_[c];
      if (!many) continue;
      const std::set<size_t> along = readBy(c);
      double operations = 0.0;
      for (size_t part : along) operations += unscheduled_.operationsOf(components_.members[part]);
      const ClassId steps = options_[c][*many].loopClass;
      if (operations < kMuchWork || keptAround(c, along, steps) > kNearElements) continue;
      putFirst(c, options_[c].begin() + static_cast<std::ptrdiff_t>(*many));
      left_.insert(c);
    }
  }

  // What only loops over one parallel index read, directly or through others of its kind, takes
  // that index for its own where it has the choice: then it is computed where it is read, a
  // population's draws by the member that uses them.
  void followReaders() {
    std::set<ClassId> fronts;
    for (const auto& options : options_)
      if (!options.empty() && options.front().parallel) fronts.insert(options.front().loopClass);
    for (ClassId front : fronts) {
      std::map<size_t, size_t> taking;  // component: which of its options
      for (size_t c = 0; c < options_.size(); ++c)
        if (const auto option = optionToTake(c, front)) taking[c] = *option;
      const auto readElsewhere = [&](const auto& entry) {
        return std::any_of(links_.outgoing[entry.first].begin(), links_.outgoing[entry.first].end(),
                           [&](const Dependence* edge) {
                             const size_t reader = links_.componentOf.at(edge->sink);
                             return !taking.contains(reader) && !hasFront(reader, front);
                           });
      };
      while (std::erase_if(taking, readElsewhere) > 0) continue;  // it may have been read by others
      for (const auto& [c, option] : taking)
        putFirst(c, options_[c].begin() + static_cast<std::ptrdiff_t>(option));
    }
  }

 private:
  // The option of a component with few lanes that has many.
  std::optional<size_t> optionOfManyLanes(size_t c) const {
    const auto& options = options_[c];
    if (components_.cyclic[c] || options.empty() || !options.front().parallel) return std::nullopt;
    const std::vector<int>& members = components_.members[c];
    const ClassId few = options.front().loopClass;
    if (unscheduled_.extentOf(members, few) >= kManyLanes) return std::nullopt;
    for (size_t k = 1; k < options.size(); ++k)
      if (options[k].parallel &&
          unscheduled_.extentOf(members, options[k].loopClass) >= kManyLanes &&
          unscheduled_.coverageOf(members, options[k].loopClass) ==
              unscheduled_.coverageOf(members, few))
        return k;
    return std::nullopt;
  }

  // A component, and what it alone reads, directly or not, and can have many lanes, too: that is
  // computed in its loop.
  std::set<size_t> readBy(size_t c) const {
    std::set<size_t> inside{c};
    std::vector<size_t> open{c};
    while (!open.empty()) {
      const size_t reader = open.back();
      open.pop_back();
      for (const Dependence* edge : links_.incoming[reader]) {
        const size_t source = links_.componentOf.at(edge->source);
        const bool alone = std::all_of(links_.outgoing[source].begin(),
                                       links_.outgoing[source].end(), [&](const Dependence* other) {
                                         return inside.contains(links_.componentOf.at(other->sink));
                                       });
        if (alone && manyLanes_[source] && inside.size() < kMostAlong &&
            inside.insert(source).second)
          open.push_back(source);
      }
    }
    return inside;
  }

  // Elements, at all their points along some steps, of what a component writes and of what it and
  // those computed along with it read of others.
  double keptAround(size_t c, const std::set<size_t>& along, ClassId steps) const {
    std::set<int> kept(components_.members[c].begin(), components_.members[c].end());
    for (size_t part : along)
      for (const Dependence* edge : links_.incoming[part])
        if (!along.contains(links_.componentOf.at(edge->source))) kept.insert(edge->source);
    std::map<NodeId, double> elements;  // of a tensor, which several statements may write
    for (int s : kept) {
      if (!unscheduled_.varOf(s, steps)) continue;
      double& most = elements[list_[static_cast<size_t>(s)].node];
      most = std::max(most, unscheduled_.elementsOf(s) * unscheduled_.pointsOf(s));
    }
    return std::accumulate(elements.begin(), elements.end(), 0.0,
                           [](double sum, const auto& tensor) { return sum + tensor.second; });
  }

  void putFirst(size_t c, std::vector<LoopChoice>::iterator option) {
    std::rotate(options_[c].begin(), option, option + 1);
  }

  bool hasFront(size_t c, ClassId front) const {
    return !options_[c].empty() && options_[c].front().parallel &&
           options_[c].front().loopClass == front;
  }

  // The option of a component that is read which makes this index its own instead of another one.
  std::optional<size_t> optionToTake(size_t c, ClassId front) const {
    const auto& options = options_[c];
    if (options.empty() || !options.front().parallel || hasFront(c, front) ||
        lanes_.contains(options.front().loopClass) || left_.contains(c) ||
        links_.outgoing[c].empty())
      return std::nullopt;
    const std::vector<int>& members = components_.members[c];
    const int coverage = unscheduled_.coverageOf(members, options.front().loopClass);
    for (size_t k = 1; k < options.size(); ++k)
      if (options[k].parallel && options[k].loopClass == front &&
          unscheduled_.coverageOf(members, front) == coverage)
        return k;
    return std::nullopt;
  }

  const Unscheduled& unscheduled_;
  const std::vector<Statement>& list_;
  const Components& components_;
  const Links& links_;
  const std::set<ClassId>& lanes_;
  std::vector<std::vector<LoopChoice>>& options_;
  std::vector<std::optional<size_t>> manyLanes_;  // [component] its option of many lanes
  std::set<size_t> left_;                         // components that have left a loop of few lanes
};

}  // namespace

void preferLoops(const Unscheduled& unscheduled, const Components& components, const Links& links,
                 const std::set<ClassId>& lanes, std::vector<std::vector<LoopChoice>>& options) {
  Preference preference(unscheduled, components, links, lanes, options);
  preference.followLanes();
  preference.leaveFewLanes();
  preference.followReaders();
}

}  // namespace rlc::schedule
