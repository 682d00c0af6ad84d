#include "jit/runtime/sum_tree.h"

#include <bit>
#include <new>

namespace rlc::runtime {
namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr float kLargestPriority = 0x1p90f;
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

float sanitizedPriority(float priority) {
  return priority > 0.0f ? std::min(priority, kLargestPriority) : 0.0f;
}

void refreshSumTree(float* values, const SumTreeLayout& layout, int level, int64_t group) {
  const float* children = values + layout.level[level].offset + group * layout.stride;
  float sum = 0.0f;
  for (int k = 0; k < layout.fanout; ++k) sum += children[k];
  const bool root = level + 1 == layout.levels;
  float& node = values[root ? layout.total : layout.level[level + 1].offset + layout.leafSlot(group)];
  std::atomic_ref(node).store(sum, std::memory_order_relaxed);
}

SumTree::SumTree(int64_t capacity, int fanout) : layout_(capacity, fanout) {
  const auto bytes = static_cast<size_t>(layout_.size) * sizeof(float);
  values_.reset(static_cast<float*>(::operator new(bytes, kCacheLine)));
  std::fill_n(values_.get(), layout_.size, 0.0f);
}

void SumTree::update(int64_t position, float priority) {
  values_[layout_.leafSlot(position)] = sanitizedPriority(priority);
  for (int level = 0; level < layout_.levels; ++level) {
    position /= layout_.fanout;
    refreshSumTree(values_.get(), layout_, level, position);
  }
}

void SumTree::rebuild() {
  for (int level = 0; level < layout_.levels; ++level)
    for (int64_t group = 0; group < layout_.level[level].groups; ++group)
      refreshSumTree(values_.get(), layout_, level, group);
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
          const bool below_target = running <= target[s];
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
