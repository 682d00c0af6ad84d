// K-ary sum tree for prioritized replay (Zhang, Meng, Prasanna: Accelerating Deep Reinforcement
// Learning on Multi-Core Systems, TPDS 2023): leaves are priorities, a node is the sum of its K
// children. The children of a node lie side by side, aligned so that up to 16 share a cache line;
// there are log_K(capacity) levels, each in one array.
//
// A node is always recomputed from its children, in their order, never adjusted by differences. So
// sums do not drift, the tree is a function of its leaves alone (not of the updates that led there
// nor of the threads that made them), and the running sums of a descent end in exactly the parent's
// value.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rlc::runtime {

// The parallelFor of a single thread. Another one may split [0, count) and run body(begin, end) on
// each part at the same time; it returns when all have run.
struct Serially {
  template <class Body>
  void operator()(int64_t count, Body body) const {
    body(int64_t{0}, count);
  }
};

class SumTree {
 public:
  // 1 <= capacity <= 2^31 - 1, 2 <= fanout <= 64; 16 fills a cache line. All priorities are 0.
  explicit SumTree(int64_t capacity, int fanout = 16);

  int64_t capacity() const { return capacity_; }
  int fanout() const { return fanout_; }
  float total() const { return total_; }
  float priority(int64_t position) const { return values_[leafSlot(position)]; }

  // Sets priorities; of equal positions the last counts. Positions lie in 0..capacity. A NaN or
  // negative priority counts as 0, one above 2^90 as 2^90 (their sum is finite). Inserting is
  // updating the position of a ring.
  template <class ParallelFor = Serially>
  void update(std::span<const int32_t> positions, std::span<const float> priorities,
              ParallelFor parallelFor = {});
  void update(int64_t position, float priority);

  // For each u in [0, 1) the first position at which the running sum of priorities exceeds u *
  // total(), up to rounding, and never one of priority 0 while total() > 0 (position 0 while it is
  // 0). Safe on several threads, without updates.
  template <class ParallelFor = Serially>
  void sample(std::span<const float> uniforms, std::span<int32_t> positions,
              ParallelFor parallelFor = {}) const {
    parallelFor(static_cast<int64_t>(uniforms.size()), [&](int64_t begin, int64_t end) {
      sampleRange(uniforms.data() + begin, positions.data() + begin, end - begin);
    });
  }

  // Every node from its children; what update() keeps up to date.
  void rebuild();

 private:
  struct Level {
    int64_t offset = 0;  // of its first group in values_
    int64_t groups = 0;  // of fanout nodes each
  };
  struct AlignedDelete {
    void operator()(float* values) const;
  };

  static float sanitized(float priority);
  int64_t leafSlot(int64_t position) const {
    return position / fanout_ * stride_ + position % fanout_;
  }
  float groupSum(int level, int64_t group) const;
  void refresh(int level, int64_t group);  // the node above the group
  void sampleRange(const float* uniforms, int32_t* positions, int64_t count) const;
  template <int Fanout>
  void sampleBlocks(const float* uniforms, int32_t* positions, int64_t count) const;

  int64_t capacity_;
  int fanout_;
  int64_t stride_;             // floats from group to group
  std::vector<Level> levels_;  // leaves first; the last has one group
  std::unique_ptr<float[], AlignedDelete> values_;
  float total_ = 0.0f;
};

template <class ParallelFor>
void SumTree::update(std::span<const int32_t> positions, std::span<const float> priorities,
                     ParallelFor parallelFor) {
  const auto count = static_cast<int64_t>(positions.size());
  for (int64_t i = 0; i < count; ++i) values_[leafSlot(positions[i])] = sanitized(priorities[i]);
  int64_t span = fanout_;  // leaves below a group's parent
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level, span *= fanout_) {
    if (levels_[level].groups <= count) {
      parallelFor(levels_[level].groups, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) refresh(level, group);
      });
    } else {
      // Two threads may recompute one node; they store the same sum.
      parallelFor(count, [&](int64_t begin, int64_t end) {
        int64_t previous = -1;
        for (int64_t i = begin; i < end; ++i) {
          const int64_t group = positions[i] / span;
          if (group != previous) refresh(level, group);
          previous = group;
        }
      });
    }
  }
}

}  // namespace rlc::runtime
