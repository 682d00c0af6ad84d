// The random streams as formulas: which bits belong to an element of a draw, and which number the
// bits make. Templates over the word and number types of math_ops.h, shared by the interpreter and
// all compiled code. docs/language.md states this layout; changing it changes every program's
// draws.
//
// A draw has a 64-bit stream id (the hash of its stable name) and, per point of its index domain
// (c_0, ..., c_{n-1}; outermost first), E elements. Element e has the number N = c_{n-1} * E + e (c
// = 0 where there are no indices), and the words N * W to N * W + W - 1 of the row (c_0, ...,
// c_{n-2}), W depending on the distribution. Word w is word w mod 4 of
//   philox4x32(counter = {low(w div 4), high(w div 4), low(c_{n-2}), low(c_{n-3})}, key)
// with floor division, 0 for absent coordinates, and the coordinates c_0 to c_{n-4}, outermost
// first, absorbed into the key. So neighbours along the innermost index share a block, and nothing
// changes when a range grows.
#pragma once

#include <array>
#include <utility>

#include "jit/runtime/math_exp.h"
#include "jit/runtime/math_log.h"
#include "jit/runtime/math_pow.h"
#include "jit/runtime/math_trig.h"
#include "jit/runtime/philox.h"

namespace rlc::runtime {

using math::constant;
using math::fma;
using math::logicalAnd;
using math::multiplyHigh;
using math::narrowWord;
using math::select;
using math::shiftLeft;
using math::shiftRightArithmetic;
using math::shiftRightLogical;
using math::signedToFloat;
using math::sqrt;
using math::widenWord;
using math::wordConstant;

template <class W>
using Key = std::array<W, 2>;

// What absorb() is for; counter word 3.
enum class Absorb : uint32_t { Coordinate = 0x636f6f72, Attempt = 0x61747074 };

// A key that depends on one more 64-bit value: the first two words of a block of its own.
template <class W64, class W>
Key<W> absorb(const Key<W>& key, W64 value, uint32_t depth, Absorb purpose) {
  auto block = philox4x32<W>(
      {narrowWord(value), narrowWord(shiftRightLogical(value, 32)), wordConstant(key[0], depth),
       wordConstant(key[0], static_cast<uint32_t>(purpose))},
      key);
  return {block[0], block[1]};
}

// One element of a draw at a point.
template <class W64, class W>
struct Place {
  Key<W> key;  // coordinates beyond the three innermost absorbed
  W64 number;  // N
  W outer[2];  // low words of c_{n-2}, c_{n-3}
};

// The place of element `e` of `elements` at `count` coordinates, outermost first.
template <class W64, class W>
Place<W64, W> placeOf(Key<W> key, const W64* coordinates, int count, W64 elements, W64 e) {
  for (int i = 0; i + 3 < count; ++i) {
    key = absorb(key, coordinates[i], static_cast<uint32_t>(count - 1 - i), Absorb::Coordinate);
  }
  W zero = wordConstant(key[0], 0);
  return {key,
          count > 0 ? coordinates[count - 1] * elements + e : e,
          {count > 1 ? narrowWord(coordinates[count - 2]) : zero,
           count > 2 ? narrowWord(coordinates[count - 3]) : zero}};
}

template <class W64, class W>
std::array<W, 4> blockAt(const Key<W>& key, W64 block, const W (&outer)[2]) {
  return philox4x32<W>(
      {narrowWord(block), narrowWord(shiftRightLogical(block, 32)), outer[0], outer[1]}, key);
}

// The element's words, 1, 2 or 4.
template <size_t Words, class W64, class W>
std::array<W, Words> wordsAt(const Place<W64, W>& place) {
  static_assert(Words == 1 || Words == 2 || Words == 4);
  constexpr int log2Elements = Words == 1 ? 2 : Words == 2 ? 1 : 0;  // elements in a block
  W64 block = log2Elements == 0 ? place.number : shiftRightArithmetic(place.number, log2Elements);
  std::array<W, 4> all = blockAt(place.key, block, place.outer);
  if constexpr (Words == 4) {
    return all;
  } else {
    W low = narrowWord(place.number);
    auto odd = (low & wordConstant(low, 1)) == wordConstant(low, 1);
    if constexpr (Words == 2) {
      return {select(odd, all[2], all[0]), select(odd, all[3], all[1])};
    } else {
      auto upper = (low & wordConstant(low, 2)) == wordConstant(low, 2);
      return {select(upper, select(odd, all[3], all[2]), select(odd, all[1], all[0]))};
    }
  }
}

template <class W>
auto joinWords(W low, W high) {
  return widenWord(low) | shiftLeft(widenWord(high), 32);
}

// ---- bits to numbers; P is math::F32 with 32-bit words or math::F64 with 64-bit words -----------

// [0, 1): the top 24 (53) bits over 2^24 (2^53).
template <class P, class W>
auto uniformFromWord(W word) {
  constexpr int dropped = P::bits - P::mantissaBits - 1;
  auto number = signedToFloat(shiftRightLogical(word, dropped));
  return number * constant(number, math::isF32<P> ? 0x1p-24 : 0x1p-53);
}

// (0, 1]: the top 31 (63) bits, plus a half, over 2^31 (2^63); finer than the above near 0.
template <class P, class W>
auto positiveUniformFromWord(W word) {
  auto number = signedToFloat(shiftRightLogical(word, 1));
  return fma(number, constant(number, math::isF32<P> ? 0x1p-31 : 0x1p-63),
             constant(number, math::isF32<P> ? 0x1p-32 : 0x1p-64));
}

// Standard normal (Box and Muller): sqrt(-2 log u) cos(2 pi v), u positive uniform of `radius`, v =
// angle / 2^bits. The angle is reduced to a quadrant in its integer form, so the cosine needs no
// general reduction.
template <class P, class W>
auto normalFromWords(W radius, W angle) {
  auto u = positiveUniformFromWord<P>(radius);
  auto quadrant =
      shiftRightLogical(angle + wordConstant(angle, int64_t{1} << (P::bits - 3)), P::bits - 2);
  auto rest = signedToFloat(angle - shiftLeft(quadrant, P::bits - 2));
  auto r = rest *
           constant(rest, math::isF32<P> ? 1.570796371 * 0x1p-30 : 1.570796326794896558 * 0x1p-62);
  auto cosine = math::sineOfQuadrant<P>(r, quadrant + wordConstant(quadrant, 1));
  return sqrt(constant(u, -2.0) * math::log<P>(u)) * cosine;
}

// lo + floor(word * (hi - lo) / 2^32), 32-bit words: in [lo, hi), each value within 2^-32 of its
// probability.
template <class W>
W uniformIntFromWord(W word, W lo, W hi) {
  return lo + multiplyHigh(word, hi - lo);
}

// ---- the draws of compiled code -----------------------------------------------------------------

template <class W64, class W>
auto uniformF32(const Place<W64, W>& place) {
  return uniformFromWord<math::F32>(wordsAt<1>(place)[0]);
}
template <class W64, class W>
auto uniformF64(const Place<W64, W>& place) {
  auto words = wordsAt<2>(place);
  return uniformFromWord<math::F64>(joinWords(words[0], words[1]));
}
template <class W64, class W>
auto normalF32(const Place<W64, W>& place) {
  auto words = wordsAt<2>(place);
  return normalFromWords<math::F32>(words[0], words[1]);
}
template <class W64, class W>
auto normalF64(const Place<W64, W>& place) {
  auto words = wordsAt<4>(place);
  return normalFromWords<math::F64>(joinWords(words[0], words[1]), joinWords(words[2], words[3]));
}
template <class W64, class W>
W uniformInt(const Place<W64, W>& place, W lo, W hi) {
  return uniformIntFromWord(wordsAt<1>(place)[0], lo, hi);
}

// Standard gamma of shape a > 0 (Marsaglia and Tsang, 2000). Rejection has counters of its own:
// attempt k is the block with the counter {low(N), high(N), c_{n-2}, c_{n-3}} and k absorbed into
// the key; words 0 and 1 make the normal, word 2 the test, word 3 of attempt 0 the factor u^(1/a)
// that brings a + 1 down to a < 1. Less than 1 in 10^20 elements reach the last attempt, after
// which the value is that of the normal 0.
constexpr int kGammaAttempts = 16;

template <class F>
struct GammaAttempt {
  F value;  // times the scale d
  F boost;
  decltype(std::declval<F>() < std::declval<F>()) accepted;
};
template <class W64, class W, class F>
GammaAttempt<F> gammaAttempt(const Place<W64, W>& place, F d, F c, int attempt) {
  using P = math::F32;
  Key<W> key = absorb(place.key, wordConstant(place.number, attempt), 0, Absorb::Attempt);
  std::array<W, 4> words = blockAt(key, place.number, place.outer);
  F one = constant(d, 1.0), half = constant(d, 0.5), zero = constant(d, 0.0);
  F x = normalFromWords<P>(words[0], words[1]);
  F base = fma(c, x, one);
  F v = base * base * base;
  F bound = half * x * x + d * ((one - v) + math::log<P>(select(zero < v, v, one)));
  F u = positiveUniformFromWord<P>(words[2]);
  return {v, positiveUniformFromWord<P>(words[3]), logicalAnd(zero < v, math::log<P>(u) < bound)};
}

// For scalar number types: draws until an attempt is accepted. Vector code does the same with a
// mask.
template <class W64, class W, class F>
F gammaF32(const Place<W64, W>& place, F shape) {
  using P = math::F32;
  F one = constant(shape, 1.0);
  auto small = shape < one;
  F d = select(small, shape + one, shape) - constant(shape, 1.0 / 3.0);
  F c = one / sqrt(constant(shape, 9.0) * d);
  F value = one;
  F boost = one;
  for (int attempt = 0; attempt < kGammaAttempts; ++attempt) {
    GammaAttempt<F> trial = gammaAttempt(place, d, c, attempt);
    if (attempt == 0) boost = trial.boost;
    if (trial.accepted) {
      value = trial.value;
      break;
    }
  }
  return d * value * select(small, math::exp<P>(math::log<P>(boost) / shape), one);
}

}  // namespace rlc::runtime
