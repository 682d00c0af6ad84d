#include "jit/cpu/tile_choice.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace rlc::cpu {

namespace {

// Of a core, less what the rest of a loop needs of it.
constexpr double kFirstLevelBytes = 28 << 10, kSecondLevelBytes = 640 << 10;
// Of a line of 64 bytes, in operations on vectors of as many bytes that are not done meanwhile.
constexpr double kNearLine = 1.0, kFarLine = 8.0;
constexpr double kLine = 64;
constexpr double kFewestAtOnce = 8;  // operations on vectors that keep the units busy
constexpr double kLoad = 0.1;        // of a load, in operations, where it is done meanwhile
constexpr double kBetter = 0.97;     // of the time, for which the order changes
constexpr int64_t kHeld = 7;         // registers for what is loaded, one less than there are of 32

int64_t blocksOf(int64_t trip, int64_t factor) { return (trip + factor - 1) / factor; }

class Estimate {
 public:
  explicit Estimate(const TileNest& nest) : nest_(nest), order_(nest.trips.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    steps_ = 1;
    for (const int64_t trip : nest.sumTrips) steps_ *= static_cast<double>(trip);
  }

  Tile best() {
    collect();
    const std::vector<size_t> source = order_;
    Tile best{order_, Sizes(order_.size(), 1)};
    double least = 0;
    do {
      const double before =
          order_ == source ? std::numeric_limits<double>::infinity() : least * kBetter;
      const auto [cost, candidate] = cheapest(before);
      if (candidate == nullptr) continue;
      least = cost;
      best = {order_, candidate->factors};
    } while (std::next_permutation(order_.begin(), order_.end()));
    return best;
  }

 private:
  using Sizes = std::vector<int64_t>;
  struct Candidate {
    double arithmetic;
    Sizes factors;
  };

  // Tiles that fit into the registers, those of the least arithmetic first.
  void collect() {
    Sizes factors(order_.size(), 1);
    const auto choose = [&](const auto& self, size_t loop, int64_t sums) -> void {
      if (loop == factors.size()) {
        if (candidates_.empty() || fits(factors))
          candidates_.push_back({arithmetic(factors), factors});
        return;
      }
      const int64_t most = nest_.jams[loop] ? nest_.mostSums / sums : 1;
      for (int64_t factor = 1; factor <= std::min(most, nest_.trips[loop]); ++factor) {
        factors[loop] = factor;
        self(self, loop + 1, sums * factor);
      }
      factors[loop] = 1;
    };
    choose(choose, 0, nest_.sums);
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.arithmetic < b.arithmetic; });
  }

  // In the order at hand, below `least`: none where there is no such tile.
  std::pair<double, const Candidate*> cheapest(double least) const {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates_) {
      if (candidate.arithmetic >= least) break;
      const double cost = candidate.arithmetic + memory(candidate.factors);
      if (cost >= least) continue;
      least = cost;
      best = &candidate;
    }
    return {least, best};
  }

  int64_t loaded(const TileLoad& load, const Sizes& factors) const {
    int64_t count = load.lanes ? nest_.vectors : 1;
    for (size_t l = 0; l < factors.size(); ++l)
      if (load.steps[l] != 0) count *= factors[l];
    return count;
  }

  // A sum that is spilled waits for its own store in every step, so a tile with one is twice as
  // slow.
  bool fits(const Sizes& factors) const {
    return nest_.registers >= 32 ? held(factors) <= kHeld : needed(factors) <= nest_.registers;
  }

  // Registers where what all lanes share takes one, too: for the sums, for the vectors that several
  // of them share, and one for the rest, which passes by. Where all loads are vectors, those of a
  // value are taken one after the other.
  int64_t needed(const Sizes& factors) const {
    int64_t sums = nest_.sums, shared = 0;
    for (const int64_t factor : factors) sums *= factor;
    bool vectors = true;
    for (const TileLoad& load : nest_.loads) {
      vectors &= load.lanes;
      if (load.lanes && loaded(load, factors) < sums * nest_.vectors)
        shared += loaded(load, factors);
    }
    return sums * nest_.vectors + (vectors ? held(factors) / nest_.vectors : shared) + 1;
  }

  // Registers for what sums of a tile share: all loads but those of which each can be an operand.
  int64_t held(const Sizes& factors) const {
    int64_t all = 0, most = 0;
    for (const TileLoad& load : nest_.loads) {
      const int64_t count = loaded(load, factors);
      all += count;
      most = std::max(most, count);
    }
    return all - most;
  }

  // Of all tiles, those at the ends, which are smaller, among them.
  double arithmetic(const Sizes& factors) const {
    Sizes sizes = factors;
    const auto of = [&](const auto& self, size_t loop) -> double {
      if (loop == factors.size()) return ofStep(sizes) * steps_;
      const int64_t trip = nest_.trips[loop], rest = trip % factors[loop];
      sizes[loop] = factors[loop];
      double total = static_cast<double>(trip / factors[loop]) * self(self, loop + 1);
      if (rest > 0) {
        sizes[loop] = rest;
        total += self(self, loop + 1);
      }
      return total;
    };
    return of(of, 0);
  }

  double ofStep(const Sizes& sizes) const {
    int64_t sums = nest_.sums * nest_.vectors, loads = 0;
    for (const int64_t size : sizes) sums *= size;
    for (const TileLoad& load : nest_.loads) loads += loaded(load, sizes);
    const auto loading = static_cast<double>(loads);
    return std::max({static_cast<double>(sums), loading, kFewestAtOnce}) + kLoad * loading;
  }

  double memory(const Sizes& factors) const {
    return (kNearLine * traffic(factors, kFirstLevelBytes) +
            kFarLine * traffic(factors, kSecondLevelBytes)) /
           kLine;
  }

  // Bytes that a cache of this size has to fetch: what a loop goes over again is still there if all
  // that an iteration touches fits.
  double traffic(const Sizes& factors, double capacity) const {
    Sizes sizes = factors;
    std::vector<double> fetched;
    for (const TileLoad& load : nest_.loads) fetched.push_back(footprint(load, sizes));
    double touched = std::accumulate(fetched.begin(), fetched.end(), 0.0);
    for (size_t k = order_.size(); k-- > 0;) {
      const size_t loop = order_[k];
      const auto blocks = static_cast<double>(blocksOf(nest_.trips[loop], factors[loop]));
      sizes[loop] = nest_.trips[loop];
      double around = 0;
      for (size_t r = 0; r < nest_.loads.size(); ++r) {
        const double whole = footprint(nest_.loads[r], sizes);
        fetched[r] = touched <= capacity ? std::max(fetched[r], whole) : fetched[r] * blocks;
        around += whole;
      }
      touched = around;
    }
    return std::accumulate(fetched.begin(), fetched.end(), 0.0);
  }

  // Bytes that a load reads in so many iterations of each loop, in all steps of the sums.
  double footprint(const TileLoad& load, const Sizes& sizes) const {
    std::vector<std::pair<int64_t, int64_t>> moves;  // by how much, how many times
    for (size_t l = 0; l < load.steps.size(); ++l) {
      const int64_t times = l < sizes.size() ? sizes[l] : nest_.sumTrips[l - sizes.size()];
      if (load.steps[l] != 0 && times > 1) moves.emplace_back(std::abs(load.steps[l]), times);
    }
    std::sort(moves.begin(), moves.end());
    // Elements from the finest step on; what moves by no more than the stretch so far prolongs it.
    const int64_t unit = moves.empty() ? 1 : moves.front().first;
    const double element = load.lanes ? 4.0 * static_cast<double>(nest_.lanes)
                                      : std::min(kLine, 4.0 * static_cast<double>(unit));
    double others = 1, stretch = 1;
    int64_t step = unit;
    for (const auto& [by, times] : moves) {
      if (static_cast<double>(by) > stretch * static_cast<double>(step)) {
        others *= stretch;
        stretch = 1;
        step = by;
      }
      stretch +=
          static_cast<double>(by) / static_cast<double>(step) * static_cast<double>(times - 1);
    }
    return others * stretch * element;
  }

  const TileNest& nest_;
  std::vector<size_t> order_;
  double steps_ = 1;
  std::vector<Candidate> candidates_;
};

}  // namespace

Tile chooseTile(const TileNest& nest) { return Estimate(nest).best(); }

}  // namespace rlc::cpu
