// Sums over a block's lanes of elements that lie side by side: a register of them at a time. Added
// up in halves, each element by itself would leave more and more of a register idle; here the
// halves of two elements share one, then the quarters of four, until each lane holds an element's
// sum.
#include <array>

#include "jit/cpu/emitter.h"
#include "jit/cpu/row_sums.h"
#include "jit/cpu/transpose.h"

namespace rlc::cpu {

namespace {

using B = llvm::IRBuilder<>;

// Which of two vectors' lanes (the second's follow the first's) make the two whose sum holds, for
// each vector, the sums of its lanes' pairs. `apart`: of a pair's lanes, half as far as a step
// before. Within 128 bits and across them in ways for which processors have an instruction.
struct Pairs {
  std::vector<int> low, high;
};
Pairs pairsOf(int length, int apart) {
  Pairs result;
  const int group = std::min(length, 4);
  const auto add = [&](int from) {
    result.low.push_back(from);
    result.high.push_back(from + apart);
  };
  if (apart >= group) {  // whole groups, the first vector's before the second's
    for (int lane = 0; lane < 2 * length; ++lane)
      if ((lane & apart) == 0) add(lane);
    return result;
  }
  for (int first = 0; first < length; first += group)
    for (int vector = 0; vector < 2; ++vector)
      for (int lane = 0; lane < group; ++lane)
        if ((lane & apart) == 0) add(vector * length + first + lane);
  return result;
}

// sums[i] of a vector of sums of lanes, one for each of as many vectors as one has lanes.
llvm::Value* sumsOfLanes(B& b, Vectors vectors) {
  const int length = static_cast<int>(vectors.size());
  std::vector<std::vector<int>> owners;  // [vector][lane] the vector whose lanes the sum is of
  for (int i = 0; i < length; ++i) owners.emplace_back(static_cast<size_t>(length), i);
  for (int apart = length / 2; apart > 0; apart /= 2) {
    const Pairs pairs = pairsOf(length, apart);
    Vectors sums;
    std::vector<std::vector<int>> owned;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      llvm::Value *x = vectors[i], *y = vectors[i + 1];
      sums.push_back(b.CreateFAdd(b.CreateShuffleVector(x, y, pairs.low),
                                  b.CreateShuffleVector(x, y, pairs.high)));
      owned.emplace_back();
      for (int from : pairs.low)
        owned.back().push_back(
            owners[i + static_cast<size_t>(from / length)][static_cast<size_t>(from % length)]);
    }
    vectors = std::move(sums);
    owners = std::move(owned);
  }
  std::vector<int> order(static_cast<size_t>(length));
  for (int lane = 0; lane < length; ++lane)
    order[static_cast<size_t>(owners[0][static_cast<size_t>(lane)])] = lane;
  return b.CreateShuffleVector(vectors[0], order);
}

}  // namespace

bool Emitter::rowSums(const Stmt& stmt) {
  const auto found = plan_.rowSums.find(&stmt);
  const int64_t length = laneVector();
  if (found == plan_.rowSums.end() || length < 4) return false;
  const RowSums& match = found->second;
  auto* vector = llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(length));
  V* rowLo = scalarValue(expr(match.rows->lo));
  V* columnLo = match.columns == nullptr ? nullptr : scalarValue(expr(match.columns->lo));
  cache_.clear();
  const auto setColumn = [&](int64_t k) {
    if (match.columns == nullptr) return;
    vars_[static_cast<size_t>(match.columns->var)] = {Value{b_.CreateAdd(columnLo, i64(k))}};
  };
  Vectors ofColumns;
  for (int64_t k = 0; match.ofColumn != nullptr && k < match.columnCount; ++k) {
    setColumn(k);
    ofColumns.push_back(valueOrZeros(match.ofColumn));
  }
  // Of `first`, a multiple of the length, and `j` elements more.
  const auto setElement = [&](V* first, int64_t j) {
    V* row = b_.CreateAdd(b_.CreateUDiv(first, i64(match.columnCount)), i64(j / match.columnCount));
    vars_[static_cast<size_t>(match.rows->var)] = {Value{b_.CreateAdd(rowLo, row)}};
    setColumn(j % match.columnCount);
  };
  // A register of an element's lanes: those of all registers of the block, added up.
  const auto element = [&](V* first, int64_t j) {
    setElement(first, j);
    V* value = valueOrZeros(match.value);
    V* factor =
        match.ofColumn == nullptr ? nullptr : ofColumns[static_cast<size_t>(j % match.columnCount)];
    V* sum = nullptr;
    for (int64_t lane = 0; lane < lanes_.width; lane += length) {
      std::vector<int> lanes;
      for (int64_t k = lane; k < lane + length; ++k) lanes.push_back(static_cast<int>(k));
      V* part = b_.CreateShuffleVector(value, lanes);
      V* with = factor == nullptr ? nullptr : b_.CreateShuffleVector(factor, lanes);
      if (with == nullptr)
        sum = sum == nullptr ? part : b_.CreateFAdd(sum, part);
      else
        sum = sum == nullptr
                  ? b_.CreateFMul(part, with)
                  : b_.CreateIntrinsic(llvm::Intrinsic::fma, {vector}, {part, with, sum});
    }
    return sum;
  };
  const auto sumUp = [&](V* first, int64_t count) {
    Vectors elements;
    for (int64_t j = 0; j < length; ++j)
      elements.push_back(j < count ? element(first, j) : llvm::Constant::getNullValue(vector));
    V* sums = sumsOfLanes(b_, std::move(elements));
    setElement(first, 0);
    cache_.clear();
    V* place = address(match.accumulate->buffer, scalarValue(expr(match.index)));
    cache_.clear();
    V* const mask = maskOfFirst(count);
    const loops::BufferId buffer = match.accumulate->buffer;
    storeRow(buffer, b_.CreateFAdd(loadRow(buffer, place, mask), sums), place, mask);
  };

  whereAnyIsActive([&] {
    const int64_t whole = match.count / length * length;
    if (whole > 0) {
      auto* summed = newBlock("summed");
      countedLoop(
          i64(0), i64(whole), length, false, summed, [&](V* first) { sumUp(first, length); },
          false);
      b_.SetInsertPoint(summed);
    }
    if (whole < match.count) sumUp(i64(whole), match.count - whole);
  });
  cache_.clear();
  return true;
}

}  // namespace rlc::cpu
