#include "jit/runtime/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "jit/runtime/philox_blocks.h"

namespace rlc::runtime {
namespace {

uint64_t mix(uint64_t z) {  // SplitMix64's finalizer (Steele, Lea, Flood 2014)
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Keys that are sorted in a core's caches. More are put into buckets first: 2^11 buckets at most,
// of some 2^11 keys, unless that leaves more than 2^13 in each.
constexpr size_t kInCaches = 1 << 14;

int bucketBits(size_t n) {
  const int size = std::bit_width(n);
  return std::max(std::min(size - 11, 11), size - 13);
}

// What a permutation draws before it makes keys of it: 4 KiB of words.
constexpr size_t kBlocksAtOnce = 256;

// Grows to the largest permutation and stays: nothing allocates in the steady state.
struct SortScratch {
  std::vector<uint64_t> keys, other;
  std::vector<size_t> ends;      // of buckets
  std::vector<uint32_t> starts;  // of the buckets in one of those
};

// Puts n keys into 2^bits buckets, by as many of the bits below `above`; equal ones keep their
// order. What `starts` held is where the buckets end then.
template <class Start>
void putInBuckets(const uint64_t* keys, size_t n, int above, int bits, uint64_t* buckets,
                  Start* starts) {
  const auto bucketOf = [=](uint64_t key) {
    return key >> (above - bits) & ((uint64_t{1} << bits) - 1);
  };
  std::fill_n(starts, size_t{1} << bits, Start{0});
  for (size_t i = 0; i < n; ++i) ++starts[bucketOf(keys[i])];
  Start sum = 0;
  for (size_t bucket = 0; bucket < size_t{1} << bits; ++bucket)
    starts[bucket] = std::exchange(sum, sum + starts[bucket]);
  for (size_t i = 0; i < n; ++i) buckets[starts[bucketOf(keys[i])]++] = keys[i];
}

// By insertion, from one array to another or in place.
void sortNearlySorted(const uint64_t* keys, size_t n, uint64_t* sorted) {
  for (size_t i = 0; i < n; ++i) {
    const uint64_t key = keys[i];
    size_t at = i;
    for (; at > 0 && key < sorted[at - 1]; --at) sorted[at] = sorted[at - 1];
    sorted[at] = key;
  }
}

// Sorts keys whose bits below `above` are drawn: with more buckets than keys, each lies a place or
// two from its own.
void sortInCaches(const uint64_t* keys, size_t n, int above, uint64_t* other, uint64_t* sorted,
                  SortScratch& scratch) {
  putInBuckets(keys, n, above, static_cast<int>(std::bit_width(n)), other, scratch.starts.data());
  sortNearlySorted(other, n, sorted);
}

// The first n of scratch.keys, whose upper halves are drawn; the lower ones differ.
void sortDrawn(SortScratch& scratch, size_t n) {
  uint64_t *keys = scratch.keys.data(), *other = scratch.other.data();
  if (n <= kInCaches) return sortInCaches(keys, n, 64, other, keys, scratch);
  const int bits = bucketBits(n);
  scratch.ends.resize(size_t{1} << bits);
  putInBuckets(keys, n, 64, bits, other, scratch.ends.data());
  size_t begin = 0;
  for (size_t end : scratch.ends) {
    if (end - begin <= kInCaches) {
      sortInCaches(other + begin, end - begin, 64 - bits, keys + begin, keys + begin, scratch);
    } else {
      std::sort(other + begin, other + end);
      std::copy(other + begin, other + end, keys + begin);
    }
    begin = end;
  }
}

template <class P, class F>
int32_t inverseCdf(F u, std::span<const F> logits) {
  F top = logits.empty() ? F{0} : logits[0];
  for (F l : logits) top = top < l ? l : top;
  F total = 0;
  for (F l : logits) total = total + math::exp<P>(l - top);
  const F target = u * total;
  F running = 0;
  int32_t passed = 0, lastPositive = 0;
  for (size_t k = 0; k < logits.size(); ++k) {
    const F weight = math::exp<P>(logits[k] - top);
    running = running + weight;
    passed += running <= target ? 1 : 0;
    if (F{0} < weight) lastPositive = static_cast<int32_t>(k);
  }
  return std::min(passed, lastPositive);
}

}  // namespace

uint64_t streamId(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name) hash = (hash ^ c) * 0x100000001b3u;
  return mix(hash);
}

uint64_t streamKey(uint64_t seed, uint64_t streamId) {
  return mix(mix(seed + 0x9E3779B97F4A7C15u) ^ streamId);
}

DrawPoint::DrawPoint(uint64_t key, std::span<const int64_t> coordinates, int64_t elements)
    : origin_(placeOf<uint64_t, uint32_t>(
          {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)},
          reinterpret_cast<const uint64_t*>(coordinates.data()),
          static_cast<int>(coordinates.size()), static_cast<uint64_t>(elements), 0)) {}

Place<uint64_t, uint32_t> DrawPoint::place(int64_t e) const {
  Place<uint64_t, uint32_t> result = origin_;
  result.number += static_cast<uint64_t>(e);
  return result;
}

float DrawPoint::uniformF32(int64_t e) const { return runtime::uniformF32(place(e)); }
double DrawPoint::uniformF64(int64_t e) const { return runtime::uniformF64(place(e)); }
float DrawPoint::normalF32(int64_t e) const { return runtime::normalF32(place(e)); }
double DrawPoint::normalF64(int64_t e) const { return runtime::normalF64(place(e)); }

int32_t DrawPoint::uniformInt(int64_t e, int32_t lo, int32_t hi) const {
  return static_cast<int32_t>(
      runtime::uniformInt(place(e), static_cast<uint32_t>(lo), static_cast<uint32_t>(hi)));
}

float DrawPoint::gammaF32(int64_t e, float shape) const {
  return runtime::gammaF32(place(e), shape);
}

int32_t categoricalFromUniform(float u, std::span<const float> logits) {
  return inverseCdf<math::F32>(u, logits);
}
int32_t categoricalFromUniform(double u, std::span<const double> logits) {
  return inverseCdf<math::F64>(u, logits);
}

int32_t DrawPoint::categorical(int64_t e, std::span<const float> logits) const {
  return categoricalFromUniform(uniformF32(e), logits);
}
int32_t DrawPoint::categorical(int64_t e, std::span<const double> logits) const {
  return categoricalFromUniform(static_cast<double>(uniformF32(e)), logits);
}

void DrawPoint::permutation(int64_t first, int64_t n, int32_t* out, int64_t stride) const {
  thread_local SortScratch scratch;
  if (n <= 0) return;
  const auto count = static_cast<size_t>(n);
  if (scratch.keys.size() < count) {
    scratch.keys.resize(count);
    scratch.other.resize(count);
    scratch.starts.resize(2 * kInCaches);
  }
  const Place<uint64_t, uint32_t> start = place(first);
  // An element's word is its own, as wordsAt<1> has it: a block holds those of four.
  const uint64_t lead = start.number % 4;
  std::array<std::array<uint32_t, 4>, kBlocksAtOnce> blocks;
  for (size_t k = 0, block = 0; k < count; block += kBlocksAtOnce) {
    const size_t left = (lead + count + 3) / 4 - block;
    philoxBlocks(start.key, shiftRightArithmetic(start.number, 2) + block,
                 {start.outer[0], start.outer[1]}, std::min(left, kBlocksAtOnce), blocks.data());
    for (; k < count && (lead + k) / 4 < block + kBlocksAtOnce; ++k)
      scratch.keys[k] = uint64_t{blocks[(lead + k) / 4 - block][(lead + k) % 4]} << 32 | k;
  }
  sortDrawn(scratch, count);
  for (size_t k = 0; k < count; ++k)
    out[static_cast<int64_t>(k) * stride] = static_cast<int32_t>(scratch.keys[k]);
}

}  // namespace rlc::runtime

using rlc::runtime::DrawPoint;

float rlc_gamma_f32(uint64_t key, const int64_t* coordinates, int64_t count, int64_t elements,
                    int64_t element, float shape) {
  return DrawPoint(key, {coordinates, static_cast<size_t>(count)}, elements)
      .gammaF32(element, shape);
}

void rlc_permutation(uint64_t key, const int64_t* coordinates, int64_t count, int64_t elements,
                     int64_t first, int64_t n, int64_t stride, int32_t* out) {
  DrawPoint(key, {coordinates, static_cast<size_t>(count)}, elements)
      .permutation(first, n, out, stride);
}
