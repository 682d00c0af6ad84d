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

SumTree::SumTree(int64_t capacity, int fanout)
    : capacity_(std::clamp<int64_t>(capacity, 1, INT32_MAX)), fanout_(std::clamp(fanout, 2, 64)) {
  // Groups never straddle a cache line that they need not.
  const auto width = static_cast<unsigned>(fanout_);
  stride_ = width <= 16 ? static_cast<int64_t>(std::bit_ceil(width))
                        : static_cast<int64_t>((width + 15) / 16 * 16);
  int64_t size = 0;
  for (int64_t nodes = capacity_;;) {
    const int64_t groups = (nodes + fanout_ - 1) / fanout_;
    levels_.push_back({size, groups});
    size += (groups * stride_ + 15) / 16 * 16;
    if (groups == 1) break;
    nodes = groups;
  }
  values_.reset(
      static_cast<float*>(::operator new(static_cast<size_t>(size) * sizeof(float), kCacheLine)));
  std::fill_n(values_.get(), size, 0.0f);
}

float SumTree::sanitized(float priority) {
  return priority > 0.0f ? std::min(priority, kLargestPriority) : 0.0f;
}

float SumTree::groupSum(int level, int64_t group) const {
  const float* children = values_.get() + levels_[level].offset + group * stride_;
  float sum = 0.0f;
  for (int k = 0; k < fanout_; ++k) sum += children[k];
  return sum;
}

void SumTree::refresh(int level, int64_t group) {
  const float sum = groupSum(level, group);
  if (level + 1 == static_cast<int>(levels_.size())) {
    std::atomic_ref(total_).store(sum, std::memory_order_relaxed);
    return;
  }
  float& node = values_[levels_[level + 1].offset + leafSlot(group)];
  std::atomic_ref(node).store(sum, std::memory_order_relaxed);
}

void SumTree::update(int64_t position, float priority) {
  values_[leafSlot(position)] = sanitized(priority);
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level) {
    position /= fanout_;
    refresh(level, position);
  }
}

void SumTree::rebuild() {
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level) {
    for (int64_t group = 0; group < levels_[level].groups; ++group) refresh(level, group);
  }
}

// Without branches on values: the child is the number of running sums that do not exceed the
// target, or, where rounding has left the target beyond them all, the last child with a positive
// value.
template <int Fanout>
void SumTree::sampleBlocks(const float* uniforms, int32_t* positions, int64_t count) const {
  const int fanout = Fanout > 0 ? Fanout : fanout_;
  float target[kBlock];
  int64_t group[kBlock];
  for (int64_t start = 0; start < count; start += kBlock) {
    const int block = static_cast<int>(std::min<int64_t>(kBlock, count - start));
    for (int s = 0; s < block; ++s) {
      target[s] = uniforms[start + s] * total_;
      group[s] = 0;
    }
    for (int level = static_cast<int>(levels_.size()) - 1; level >= 0; --level) {
      const float* nodes = values_.get() + levels_[level].offset;
      const float* below = level > 0 ? values_.get() + levels_[level - 1].offset : nodes;
      for (int s = 0; s < block; ++s) {
        const float* children = nodes + group[s] * stride_;
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
        __builtin_prefetch(below + group[s] * stride_);
      }
    }
    for (int s = 0; s < block; ++s) positions[start + s] = static_cast<int32_t>(group[s]);
  }
}

void SumTree::sampleRange(const float* uniforms, int32_t* positions, int64_t count) const {
  switch (fanout_) {
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
