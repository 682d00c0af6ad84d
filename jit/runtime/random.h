// Random streams for the interpreter and for calls from compiled code; the definition is
// random_core.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jit/runtime/random_core.h"

namespace rlc::runtime {

// FNV-1a (64 bits) of the stable name, finalized as in SplitMix64.
uint64_t streamId(std::string_view name);
// The Philox key of a stream in a run: words low and high of mix(mix(seed + golden ratio) ^ id),
// mix SplitMix64's finalizer.
uint64_t streamKey(uint64_t seed, uint64_t streamId);

// A draw at one point of its index domain. `elements` is the number of elements of the drawn
// value's shape.
class DrawPoint {
 public:
  DrawPoint(uint64_t key, std::span<const int64_t> coordinates, int64_t elements);

  // Element e, 0 <= e < elements.
  float uniformF32(int64_t e) const;  // [0, 1)
  double uniformF64(int64_t e) const;
  float normalF32(int64_t e) const;  // mean 0, variance 1
  double normalF64(int64_t e) const;
  int32_t uniformInt(int64_t e, int32_t lo, int32_t hi) const;  // [lo, hi), lo < hi
  float gammaF32(int64_t e, float shape) const;                 // shape > 0, scale 1
  int32_t categorical(int64_t e, std::span<const float> logits) const;
  int32_t categorical(int64_t e, std::span<const double> logits) const;
  // A permutation of 0..n in out[k * stride]: the elements first .. first + n in the order of their
  // (one) words, equal words in the order of elements. Sorting keys rather than swapping: each key
  // is independent, so it runs in lanes.
  void permutation(int64_t first, int64_t n, int32_t* out, int64_t stride = 1) const;

 private:
  Place<uint64_t, uint32_t> place(int64_t e) const;
  Place<uint64_t, uint32_t> origin_;  // of element 0
};

class Stream {
 public:
  Stream(uint64_t seed, uint64_t streamId) : key_(streamKey(seed, streamId)) {}
  DrawPoint at(std::span<const int64_t> coordinates, int64_t elements) const {
    return DrawPoint(key_, coordinates, elements);
  }

 private:
  uint64_t key_;
};

// Categorical by inverse CDF, in F32 for F32 logits and F64 for F64: weights exp(l_k - max l),
// running sums s_k in the order of k, the first k with s_k > u * s_last; where rounding leaves
// none, the last k with a positive weight.
int32_t categoricalFromUniform(float u, std::span<const float> logits);
int32_t categoricalFromUniform(double u, std::span<const double> logits);

}  // namespace rlc::runtime

extern "C" {
// For compiled code; coordinates outermost first, `key` is streamKey's.
float rlc_gamma_f32(uint64_t key, const int64_t* coordinates, int64_t count, int64_t elements,
                    int64_t element, float shape);
void rlc_permutation(uint64_t key, const int64_t* coordinates, int64_t count, int64_t elements,
                     int64_t first, int64_t n, int64_t stride, int32_t* out);
}
