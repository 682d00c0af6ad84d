// Philox of LLVM values: the rounds run on 64-bit lanes of which only the lower halves count,
// because that is what a vector unit multiplies. Vectors of 32-bit words are two such vectors, of
// their even and their odd lanes. Included where random_core.h's templates are instantiated, before
// any is.
#pragma once

#include <llvm/Analysis/VectorUtils.h>

#include <vector>

#include "jit/cpu/formula_value.h"
#include "jit/runtime/philox.h"

namespace rlc::cpu::formulas {

// One vector of 64-bit lanes whose upper halves hold anything, or two.
using Halves = std::vector<Word>;

inline Halves split(Word x) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.v->getType());
  if (vector == nullptr || vector->getNumElements() <= 8) return {widenWord(x)};
  auto* pairs = llvm::FixedVectorType::get(x.b->getInt64Ty(), vector->getNumElements() / 2);
  if (llvm::Value* same = llvm::getSplatValue(x.v)) {
    const Word both{x.b, x.b->CreateVectorSplat(pairs->getElementCount(),
                                                x.b->CreateZExt(same, x.b->getInt64Ty()))};
    return {both, both};
  }
  const Word even{x.b, x.b->CreateBitCast(x.v, pairs)};
  return {even, shiftRightLogical(even, 32)};
}

inline Word join(const Halves& halves, llvm::Type* type) {
  if (halves.size() == 1) return narrowWord(halves[0]);
  llvm::IRBuilder<>& b = *halves[0].b;
  std::vector<int> lowerWords;
  const auto count = static_cast<int>(llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
  for (int i = 0; i < count; i += 2) lowerWords.insert(lowerWords.end(), {i, count + i});
  return {&b, b.CreateShuffleVector(b.CreateBitCast(halves[0].v, type),
                                    b.CreateBitCast(halves[1].v, type), lowerWords)};
}

}  // namespace rlc::cpu::formulas

namespace rlc::runtime {

template <>
inline std::array<cpu::formulas::Word, 4> philox4x32(std::array<cpu::formulas::Word, 4> counter,
                                                     std::array<cpu::formulas::Word, 2> key) {
  using cpu::formulas::Halves;
  using cpu::formulas::Word;
  std::array<Halves, 4> words;
  for (size_t i = 0; i < 4; ++i) words[i] = cpu::formulas::split(counter[i]);
  const std::array<Halves, 2> keys{cpu::formulas::split(key[0]), cpu::formulas::split(key[1])};
  for (size_t half = 0; half < words[0].size(); ++half) {
    const auto times = [](Word x, int64_t factor) {
      return (x & wordConstant(x, 0xffffffff)) * wordConstant(x, factor);
    };
    std::array<Word, 4> x{words[0][half], words[1][half], words[2][half], words[3][half]};
    std::array<Word, 2> k{keys[0][half], keys[1][half]};
    for (int round = 0; round < kPhiloxRounds; ++round) {
      if (round > 0)
        k = {k[0] + wordConstant(k[0], kPhiloxWeyl[0]), k[1] + wordConstant(k[1], kPhiloxWeyl[1])};
      const Word first = times(x[0], kPhiloxMultiplier[0]),
                 second = times(x[2], kPhiloxMultiplier[1]);
      x = {shiftRightLogical(second, 32) ^ x[1] ^ k[0], second,
           shiftRightLogical(first, 32) ^ x[3] ^ k[1], first};
    }
    for (size_t i = 0; i < 4; ++i) words[i][half] = x[i];
  }
  std::array<Word, 4> result;
  for (size_t i = 0; i < 4; ++i) result[i] = cpu::formulas::join(words[i], counter[i].v->getType());
  return result;
}

}  // namespace rlc::runtime
