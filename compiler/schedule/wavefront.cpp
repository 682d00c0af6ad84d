#include "compiler/schedule/wavefront.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "compiler/schedule/longest_paths.h"

namespace rlc::schedule {

namespace {

// By the number of indices: the more there are, the more weights of a size.
constexpr int64_t kLargestWeight[] = {0, 1, 64, 8, 3};

using Weights = std::vector<int64_t>;  // by position of the class

// All weights of up to a size, small ones first.
std::vector<Weights> candidates(size_t classes) {
  std::vector<Weights> result{{}};
  const int64_t largest = kLargestWeight[classes];
  for (size_t k = 0; k < classes; ++k) {
    std::vector<Weights> longer;
    for (const Weights& weights : result)
      for (int64_t w = -largest; w <= largest; ++w) {
        longer.push_back(weights);
        longer.back().push_back(w);
      }
    result = std::move(longer);
  }
  const auto size = [](const Weights& weights) {
    int64_t sum = 0;
    for (int64_t w : weights) sum += std::abs(w);
    return sum;
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Weights& a, const Weights& b) { return size(a) < size(b); });
  return result;
}

class WavefrontFinder {
 public:
  WavefrontFinder(const Unscheduled& unscheduled, const std::vector<int>& statements,
                  const std::vector<const Dependence*>& dependences)
      : unscheduled_(unscheduled),
        statements_(statements),
        classes_(unscheduled.rankClasses(statements)) {
    for (size_t k = 0; k < statements.size(); ++k) position_[statements[k]] = k;
    for (const Dependence* dependence : dependences) measure(*dependence);
  }

  std::optional<Wavefront> find() const {
    if (classes_.empty() || classes_.size() >= std::size(kLargestWeight)) return std::nullopt;
    for (const Weights& weights : candidates(classes_.size())) {
      const auto times = timesOf(weights);
      if (!times) continue;
      Wavefront found;
      for (size_t k = 0; k < classes_.size(); ++k) found.weights[classes_[k]] = weights[k];
      for (size_t k = 0; k < statements_.size(); ++k) found.shift[statements_[k]] = (*times)[k];
      return found;
    }
    return std::nullopt;
  }

 private:
  struct Measured {
    const Dependence* dependence;
    std::vector<Distance> along;  // by class
    bool constant = true;
    std::vector<std::vector<int64_t>> some;  // distances by class, of some points where they vary
  };

  void measure(const Dependence& dependence) {
    Measured measured{&dependence, {}, true, {}};
    for (ClassId id : classes_) {
      const auto d = unscheduled_.finder().distance(dependence, id);
      if (!d) return;  // no point depends on another
      measured.along.push_back(*d);
      measured.constant = measured.constant && d->isConstant();
    }
    if (!measured.constant && dependence.relation.isBounded()) {
      measured.some.push_back(distancesAt(dependence, dependence.relation.lexmin()));
      measured.some.push_back(distancesAt(dependence, dependence.relation.lexmax()));
    }
    (measured.constant ? constant_ : varying_).push_back(std::move(measured));
  }

  // What the sink's and the source's points are along an index, in the relation's variables.
  std::pair<std::optional<Var>, std::optional<Var>> ends(const Dependence& dependence,
                                                         ClassId id) const {
    std::optional<Var> source = unscheduled_.varOf(dependence.source, id);
    if (source) {
      const auto& vars =
          unscheduled_.statements().list[static_cast<size_t>(dependence.source)].vars;
      source = dependence.sourceVars[static_cast<size_t>(
          std::find(vars.begin(), vars.end(), *source) - vars.begin())];
    }
    return {unscheduled_.varOf(dependence.sink, id), source};
  }

  std::vector<int64_t> distancesAt(const Dependence& dependence,
                                   const std::optional<polyhedral::Point>& point) const {
    const auto& vars = dependence.relation.vars();
    const auto at = [&](std::optional<Var> var) {
      if (!var) return int64_t{0};
      return (
          *point)[static_cast<size_t>(std::find(vars.begin(), vars.end(), *var) - vars.begin())];
    };
    std::vector<int64_t> result;
    for (ClassId id : classes_) {
      const auto [sink, source] = ends(dependence, id);
      result.push_back(at(sink) - at(source));
    }
    return result;
  }

  static int64_t inTime(const std::vector<int64_t>& distances, const Weights& weights) {
    return std::inner_product(weights.begin(), weights.end(), distances.begin(), int64_t{0});
  }

  // The least distance in time; nothing: there is no least one.
  std::optional<int64_t> least(const Measured& measured, const Weights& weights) const {
    if (measured.constant) {
      int64_t sum = 0;
      for (size_t k = 0; k < weights.size(); ++k) sum += weights[k] * measured.along[k].min;
      return sum;
    }
    const Dependence& dependence = *measured.dependence;
    IndexExpr difference;
    for (size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] == 0) continue;
      const auto [sink, source] = ends(dependence, classes_[k]);
      if (sink) difference = difference + IndexExpr(*sink) * weights[k];
      if (source) difference = difference - IndexExpr(*source) * weights[k];
    }
    const auto lowest = dependence.relation.minimum(difference);
    if (!lowest || *lowest == std::numeric_limits<int64_t>::min()) return std::nullopt;
    return lowest;
  }

  std::optional<std::vector<int64_t>> timesOf(const Weights& weights) const {
    std::vector<Edge> edges;
    const auto add = [&](const Measured& measured, int64_t distance) {
      edges.push_back({position_.at(measured.dependence->source),
                       position_.at(measured.dependence->sink), 1 - distance});
    };
    for (const Measured& measured : constant_)
      if (const auto distance = least(measured, weights)) add(measured, *distance);
    // What is cheap to tell rules most weights out.
    for (const Measured& measured : varying_)
      for (const auto& distances : measured.some) add(measured, inTime(distances, weights));
    if (!varying_.empty() && !longestPaths(statements_.size(), edges)) return std::nullopt;
    for (const Measured& measured : varying_) {
      const auto distance = least(measured, weights);
      if (!distance) return std::nullopt;
      add(measured, *distance);
    }
    return longestPaths(statements_.size(), edges);
  }

  const Unscheduled& unscheduled_;
  const std::vector<int>& statements_;
  const std::vector<ClassId> classes_;
  std::map<int, size_t> position_;  // [statement]
  std::vector<Measured> constant_, varying_;
};

}  // namespace

polyhedral::Times Wavefront::times(const Unscheduled& unscheduled,
                                   const std::vector<int>& statements) const {
  polyhedral::Times result;
  for (int s : statements) {
    IndexExpr time = shift.at(s);
    std::vector<IndexExpr> rest;
    for (const auto& [id, weight] : weights) {
      const auto var = unscheduled.varOf(s, id);
      if (var) time = time + IndexExpr(*var) * weight;
      rest.push_back(var ? IndexExpr(*var) : IndexExpr(0));
    }
    result.push_back({time});
    result.back().insert(result.back().end(), rest.begin(), rest.end());
  }
  return result;
}

std::optional<Wavefront> findWavefront(const Unscheduled& unscheduled,
                                       const std::vector<int>& statements,
                                       const std::vector<const Dependence*>& dependences) {
  return WavefrontFinder(unscheduled, statements, dependences).find();
}

}  // namespace rlc::schedule
