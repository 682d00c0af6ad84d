// A sum tree as replay buffers usually have it: a binary heap of sums, adjusted on the way up by
// the difference.
#pragma once

#include <cstdint>
#include <vector>

class BinaryTree {
 public:
  explicit BinaryTree(int64_t capacity) {
    while (leaves_ < capacity) leaves_ *= 2;
    sums_.assign(static_cast<size_t>(2 * leaves_), 0.0F);
  }
  void update(int64_t position, float priority) {
    size_t node = static_cast<size_t>(leaves_ + position);
    const float change = priority - sums_[node];
    for (; node >= 1; node /= 2) sums_[node] += change;
  }
  int64_t sample(float uniform) const {
    float rest = uniform * sums_[1];
    size_t node = 1;
    while (node < static_cast<size_t>(leaves_)) {
      node *= 2;
      if (rest >= sums_[node] && sums_[node + 1] > 0.0F) rest -= sums_[node++];
    }
    return static_cast<int64_t>(node) - leaves_;
  }
  float total() const { return sums_[1]; }

 private:
  int64_t leaves_ = 1;
  std::vector<float> sums_;
};
