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
#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace rlc::runtime {

// Where the nodes of a tree lie in one array of floats: the leaves first, then the level above, and
// so on; the total is the last. 1 <= capacity <= 2^31 - 1, 2 <= fanout <= 256; 16 fills a cache
// line. An array of zeros is the tree of priorities that are all 0.
struct SumTreeLayout {
  SumTreeLayout(int64_t capacity, int fanout);

  // Where the priority of a position lies; the position itself where the fan-out is a power of two.
  int64_t leafSlot(int64_t position) const {
    return stride == fanout ? position : position / fanout * stride + position % fanout;
  }

  // How many nodes a level has: at 0 the capacity, above it the groups below.
  int64_t nodesAt(int at) const {
    return at == 0 ? capacity : level[static_cast<size_t>(at) - 1].groups;
  }

  // The level whose subtrees threads may share: the highest one that has enough of them.
  int rootOfParts() const;

  struct Level {
    int64_t offset = 0;  // of its first group in the array
    int64_t groups = 0;  // of fanout nodes each
  };
  static constexpr int kMostLevels = 32;
  int64_t capacity;
  int fanout;
  int64_t stride;  // floats from group to group
  int levels = 0;  // leaves first; the last has one group
  std::array<Level, kMostLevels> level;
  int64_t total = 0;  // where it lies
  int64_t size = 0;   // of the array, a multiple of 16
};

// The parallelFor of a single thread. Another one may split [0, count) and run body(begin, end) on
// each part at the same time; it returns when all have run.
struct Serially {
  template <class Body>
  void operator()(int64_t count, Body body) const {
    body(int64_t{0}, count);
  }
};

// What counts of a priority: a NaN or negative one is 0, one above 2^90 is 2^90 (their sum is
// finite).
float sanitizedPriority(float priority);

// Recomputes the nodes above the groups first .. last of a level of the tree in `values`: those
// that positions have changed, or all where that is less work.
void refreshSumTree(float* values, const SumTreeLayout& layout, int level, int64_t first,
                    int64_t last, std::span<const int32_t> positions);

// Of the update below what lies in the subtrees of the groups first .. last of a level, and the
// nodes above these groups. Subtrees share no memory that is written.
void updateSubtrees(float* values, const SumTreeLayout& layout, int level, int64_t first,
                    int64_t last, std::span<const int32_t> positions,
                    std::span<const float> priorities);

// Sets priorities of the tree in `values`; of equal positions the last counts. Positions lie in
// 0..capacity. A part of `parallelFor` is whole subtrees, so a thread that always gets the same
// part keeps it in its caches, for draws from there as well.
template <class ParallelFor = Serially>
void updateSumTree(float* values, const SumTreeLayout& layout, std::span<const int32_t> positions,
                   std::span<const float> priorities, ParallelFor parallelFor = {});

class SumTree {
 public:
  // All priorities are 0.
  explicit SumTree(int64_t capacity, int fanout = 16);

  int64_t capacity() const { return layout_.capacity; }
  int fanout() const { return layout_.fanout; }
  float total() const { return values_[layout_.total]; }
  float priority(int64_t position) const { return values_[layout_.leafSlot(position)]; }

  // As updateSumTree. Inserting is updating the position of a ring.
  template <class ParallelFor = Serially>
  void update(std::span<const int32_t> positions, std::span<const float> priorities,
              ParallelFor parallelFor = {}) {
    updateSumTree(values_.get(), layout_, positions, priorities, parallelFor);
  }
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
  struct AlignedDelete {
    void operator()(float* values) const;
  };

  void sampleRange(const float* uniforms, int32_t* positions, int64_t count) const;
  template <int Fanout>
  void sampleBlocks(const float* uniforms, int32_t* positions, int64_t count) const;

  SumTreeLayout layout_;
  std::unique_ptr<float[], AlignedDelete> values_;
};

template <class ParallelFor>
void updateSumTree(float* values, const SumTreeLayout& layout, std::span<const int32_t> positions,
                   std::span<const float> priorities, ParallelFor parallelFor) {
  const int root = layout.rootOfParts();
  parallelFor(layout.level[root].groups, [&](int64_t first, int64_t last) {
    updateSubtrees(values, layout, root, first, last, positions, priorities);
  });
  for (int level = root + 1; level < layout.levels; ++level)
    refreshSumTree(values, layout, level, 0, layout.level[level].groups, positions);
}

}  // namespace rlc::runtime
