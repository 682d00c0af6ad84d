// Updates of the K-ary sum tree of jit/runtime, which compiled programs call, beside a plain binary
// tree; one batch a call. Draws are compiled code: benchmarks/workloads/sum_tree_draws.rl.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "benchmarks/binary_tree.h"
#include "jit/runtime/sum_tree.h"

namespace {

struct Batches {
  std::vector<int32_t> positions;
  std::vector<float> uniforms, priorities;
  size_t at = 0;

  // Enough different batches that the caches don't learn one of them.
  Batches(int64_t capacity, int64_t batch) {
    std::mt19937 generator(7);
    std::uniform_int_distribution<int32_t> position(0, static_cast<int32_t>(capacity - 1));
    std::uniform_real_distribution<float> uniform(0.0F, 0.999999F);
    for (int64_t k = 0; k < 256 * batch; ++k) {
      positions.push_back(position(generator));
      uniforms.push_back(uniform(generator));
      priorities.push_back(uniform(generator) + 1e-3F);
    }
  }
  size_t next(int64_t batch) {
    at = (at + static_cast<size_t>(batch)) % positions.size();
    return at;
  }
};

// Arguments: capacity, batch, fan-out.
void karyUpdate(benchmark::State& state) {
  const int64_t capacity = state.range(0), batch = state.range(1);
  rlc::runtime::SumTree tree(capacity, static_cast<int>(state.range(2)));
  Batches batches(capacity, batch);
  for (auto _ : state) {
    const size_t at = batches.next(batch), count = static_cast<size_t>(batch);
    tree.update(std::span<const int32_t>(batches.positions.data() + at, count),
                std::span<const float>(batches.priorities.data() + at, count));
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void binarySample(benchmark::State& state) {
  const int64_t capacity = state.range(0), batch = state.range(1);
  BinaryTree tree(capacity);
  Batches batches(capacity, batch);
  for (int64_t k = 0; k < capacity; ++k) tree.update(k, 0.5F + static_cast<float>(k % 7));
  for (auto _ : state) {
    const size_t at = batches.next(batch);
    for (int64_t k = 0; k < batch; ++k)
      benchmark::DoNotOptimize(tree.sample(batches.uniforms[at + static_cast<size_t>(k)]));
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void binaryUpdate(benchmark::State& state) {
  const int64_t capacity = state.range(0), batch = state.range(1);
  BinaryTree tree(capacity);
  Batches batches(capacity, batch);
  for (auto _ : state) {
    const size_t at = batches.next(batch);
    for (int64_t k = 0; k < batch; ++k)
      tree.update(batches.positions[at + static_cast<size_t>(k)],
                  batches.priorities[at + static_cast<size_t>(k)]);
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void karySizes(benchmark::internal::Benchmark* benchmark) {
  for (int64_t capacity : {10'000, 1'000'000, 10'000'000})
    for (int64_t fanout : {2, 16, 64}) benchmark->Args({capacity, 256, fanout});
}
void binarySizes(benchmark::internal::Benchmark* benchmark) {
  for (int64_t capacity : {10'000, 1'000'000, 10'000'000}) benchmark->Args({capacity, 256});
}

BENCHMARK(binarySample)->Apply(binarySizes);
BENCHMARK(karyUpdate)->Apply(karySizes);
BENCHMARK(binaryUpdate)->Apply(binarySizes);

}  // namespace
