// benchmarks/workloads/sum_tree.rl on a binary sum tree: each step draws a batch, inserts a
// position and updates those that were drawn.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "benchmarks/binary_tree.h"

namespace {

int64_t argument(int argc, char** argv, const char* name, int64_t otherwise) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], name) == 0) return std::atoll(argv[k + 1]);
  return otherwise;
}

// xorshift: cheaper than Philox, so that the tree is what is measured.
struct Uniform {
  uint32_t state = 2463534242U;
  float next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return static_cast<float>(state >> 8) * 0x1p-24F;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int64_t capacity = argument(argc, argv, "--capacity", 1'000'000),
                batch = argument(argc, argv, "--batch", 256);
  const int64_t steps = argument(argc, argv, "--steps", 20'000),
                repeats = argument(argc, argv, "--repeats", 5);
  std::vector<double> times;
  float total = 0;
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    BinaryTree tree(capacity);
    for (int64_t k = 0; k < capacity; ++k) tree.update(k, 1.0F);
    Uniform uniform;
    std::vector<int64_t> drawn(static_cast<size_t>(batch));
    for (int64_t n = 0; n < steps; ++n) {
      for (int64_t k = 0; k < batch; ++k)
        drawn[static_cast<size_t>(k)] =
            tree.sample((static_cast<float>(k) + uniform.next()) / static_cast<float>(batch));
      tree.update(n % capacity, 1.0F);
      for (int64_t position : drawn) tree.update(position, 0.001F + 0.999F * uniform.next());
    }
    total += tree.total();
    if (repeat > 0)
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
                          .count());  // the first warms up
  }
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2];
  std::printf(
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": 1, \"version\": \"C++, binary tree\", "
      "\"total\": %.6g}\n",
      static_cast<double>(steps * batch) / seconds, seconds, static_cast<double>(total));
}
