#include "jit/runtime/sum_tree.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>
#include <vector>

namespace rlc::runtime {
namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr float kLargestPriority = 0x1p90f;
constexpr int64_t kFewestParts = 64;  // that threads share, so that they get about the same
constexpr int kBlock = 16;  // samples that descend together, so that their cache misses overlap

}  // namespace

void SumTree::AlignedDelete::operator()(float* values) const {
  ::operator delete(values, kCacheLine);
}

SumTreeLayout::SumTreeLayout(int64_t capacity_, int fanout_)
    : capacity(std::clamp<int64_t>(capacity_, 1, INT32_MAX)), fanout(std::clamp(fanout_, 2, 256)) {
  // Groups never straddle a cache line that they need not.
  const auto width = static_cast<unsigned>(fanout);
  stride = width <= 16 ? static_cast<int64_t>(std::bit_ceil(width))
                       : static_cast<int64_t>((width + 15) / 16 * 16);
  for (int64_t nodes = capacity;;) {
    const int64_t groups = (nodes + fanout - 1) / fanout;
    level[levels++] = {size, groups};
    size += (groups * stride + 15) / 16 * 16;
    if (groups == 1) break;
    nodes = groups;
  }
  size += 16;
  total = size - 1;
}

int SumTreeLayout::rootOfParts() const {
  int root = levels - 1;
  while (root > 0 && level[root].groups < kFewestParts) --root;
  return root;
}

float sanitizedPriority(float priority) {
  return priority > 0.0f ? std::min(priority, kLargestPriority) : 0.0f;
}

namespace {

// The groups of a level and the nodes above them. Fanout: a power of two that the compiler knows,
// or 0.
template <int Fanout>
class Groups {
 public:
  Groups(float* values, const SumTreeLayout& layout, int level)
      : layout_(layout), children_(values + layout.level[level].offset) {
    const bool root = level + 1 == layout.levels;
    above_ = values + (root ? layout.total : layout.level[level + 1].offset);
    for (int below = 0; below <= level; ++below) span_ *= layout.fanout;
  }

  int64_t groupAbove(int32_t position) const {
    if constexpr (Fanout > 0) return position >> std::countr_zero(static_cast<uint64_t>(span_));
    return position / span_;
  }

  void refresh(int64_t group) const {
    const float* children = children_ + group * (Fanout > 0 ? Fanout : layout_.stride);
    float sum = 0.0f;
    for (int k = 0; k < (Fanout > 0 ? Fanout : layout_.fanout); ++k) sum += children[k];
    above_[Fanout > 0 ? group : layout_.leafSlot(group)] = sum;
  }

 private:
  const SumTreeLayout& layout_;
  const float* children_;
  float* above_;
  int64_t span_ = 1;  // positions below a group
};

// Calls with the groups of a level, of a fan-out that is worth code of its own.
template <class Visit>
void withGroups(float* values, const SumTreeLayout& layout, int level, Visit visit) {
  switch (layout.fanout) {
    case 2:
      return visit(Groups<2>(values, layout, level));
    case 4:
      return visit(Groups<4>(values, layout, level));
    case 8:
      return visit(Groups<8>(values, layout, level));
    case 16:
      return visit(Groups<16>(values, layout, level));
    case 32:
      return visit(Groups<32>(values, layout, level));
    case 64:
      return visit(Groups<64>(values, layout, level));
    default:
      return visit(Groups<0>(values, layout, level));
  }
}

void refreshAll(float* values, const SumTreeLayout& layout, int level, int64_t first,
                int64_t last) {
  withGroups(values, layout, level, [&](const auto& groups) {
    for (int64_t group = first; group < last; ++group) groups.refresh(group);
  });
}

}  // namespace

void refreshSumTree(float* values, const SumTreeLayout& layout, int level, int64_t first,
                    int64_t last, std::span<const int32_t> positions) {
  if (last - first <= static_cast<int64_t>(positions.size()))
    return refreshAll(values, layout, level, first, last);
  withGroups(values, layout, level, [&](const auto& groups) {
    int64_t previous = -1;
    for (const int32_t position : positions) {
      const int64_t group = groups.groupAbove(position);
      if (group != previous) groups.refresh(group);
      previous = group;
    }
  });
}

void updateSubtrees(float* values, const SumTreeLayout& layout, int level, int64_t first,
                    int64_t last, std::span<const int32_t> positions,
                    std::span<const float> priorities) {
  int64_t groups = 1, below = layout.fanout;  // of a subtree: at its lowest level, and positions
  for (int l = 0; l < level; ++l) {
    groups *= layout.fanout;
    below *= layout.fanout;
  }
  const auto isOwn = [least = first * below, end = last * below](int32_t position) {
    return position >= least && position < end;
  };
  // Draws from parts of the total come in order, so that the own ones are often side by side.
  size_t from = 0, to = positions.size();
  while (from < to && !isOwn(positions[from])) ++from;
  while (from < to && !isOwn(positions[to - 1])) --to;
  std::span<const int32_t> own = positions.subspan(from, to - from);
  std::vector<int32_t> some;
  if (!std::all_of(own.begin(), own.end(), isOwn))
    std::copy_if(own.begin(), own.end(), std::back_inserter(some), isOwn);
  for (size_t i = from; i < to; ++i)
    if (isOwn(positions[i]))
      values[layout.leafSlot(positions[i])] = sanitizedPriority(priorities[i]);
  if (!some.empty()) own = some;
  for (int l = 0; l <= level; ++l, groups /= layout.fanout) {
    const int64_t end = std::min(last * groups, layout.level[l].groups);
    refreshSumTree(values, layout, l, first * groups, end, own);
  }
}

SumTree::SumTree(int64_t capacity, int fanout) : layout_(capacity, fanout) {
  const auto bytes = static_cast<size_t>(layout_.size) * sizeof(float);
  values_.reset(static_cast<float*>(::operator new(bytes, kCacheLine)));
  std::fill_n(values_.get(), layout_.size, 0.0f);
}

void SumTree::update(int64_t position, float priority) {
  const auto at = static_cast<int32_t>(position);
  update(std::span(&at, 1), std::span(&priority, 1));
}

void SumTree::rebuild() {
  for (int level = 0; level < layout_.levels; ++level)
    refreshAll(values_.get(), layout_, level, 0, layout_.level[level].groups);
}

// Without branches on values: the child is the number of running sums that do not exceed the
// target, or, where rounding has left the target beyond them all, the last child with a positive
// value.
template <int Fanout>
void SumTree::sampleBlocks(const float* uniforms, int32_t* positions, int64_t count) const {
  const int fanout = Fanout > 0 ? Fanout : layout_.fanout;
  float target[kBlock];
  int64_t group[kBlock];
  for (int64_t start = 0; start < count; start += kBlock) {
    const int block = static_cast<int>(std::min<int64_t>(kBlock, count - start));
    for (int s = 0; s < block; ++s) {
      target[s] = uniforms[start + s] * total();
      group[s] = 0;
    }
    for (int level = layout_.levels - 1; level >= 0; --level) {
      const float* nodes = values_.get() + layout_.level[level].offset;
      const float* below = level > 0 ? values_.get() + layout_.level[level - 1].offset : nodes;
      for (int s = 0; s < block; ++s) {
        const float* children = nodes + group[s] * layout_.stride;
        float running = 0.0f, before = 0.0f, beforeLast = 0.0f;
        int passed = 0, last = 0;
        for (int k = 0; k < fanout; ++k) {
          const bool positive = children[k] > 0.0f;
          last = positive ? k : last;
          beforeLast = positive ? running : beforeLast;
          running += children[k];
          const bool below_target = !(running > target[s]);  // nothing is above a NaN
          passed += below_target ? 1 : 0;
          before = below_target ? running : before;
        }
        const bool beyond = passed > last;
        target[s] -= beyond ? beforeLast : before;
        group[s] = group[s] * fanout + (beyond ? last : passed);
        __builtin_prefetch(below + group[s] * layout_.stride);
      }
    }
    for (int s = 0; s < block; ++s) positions[start + s] = static_cast<int32_t>(group[s]);
  }
}

void SumTree::sampleRange(const float* uniforms, int32_t* positions, int64_t count) const {
  switch (layout_.fanout) {
    case 4:
      return sampleBlocks<4>(uniforms, positions, count);
    case 8:
      return sampleBlocks<8>(uniforms, positions, count);
    case 16:
      return sampleBlocks<16>(uniforms, positions, count);
    case 32:
      return sampleBlocks<32>(uniforms, positions, count);
    default:
      return sampleBlocks<0>(uniforms, positions, count);
  }
}

}  // namespace rlc::runtime
