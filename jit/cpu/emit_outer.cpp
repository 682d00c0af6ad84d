// Outer products summed over a block's lanes. Lane by lane the sums would need a reduction for each
// element; instead the columns' factors are transposed, so that vectors run along k, and a tile of
// the result stays in registers while the block's lanes are added to it one after the other.
#include <algorithm>

#include "jit/cpu/emitter.h"
#include "jit/cpu/outer.h"
#include "jit/cpu/transpose.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

bool Emitter::outerProduct(const Stmt& stmt) {
  const auto found = plan_.outer.find(&stmt);
  if (found == plan_.outer.end()) return false;
  const OuterProduct& match = found->second;
  const int64_t width = lanes_.width;
  const int64_t length = laneVector();
  const int64_t padded = (match.columnCount + length - 1) / length * length;
  llvm::Type* number = b_.getFloatTy();
  llvm::Type* vector = llvm::FixedVectorType::get(number, static_cast<unsigned>(length));
  const llvm::Align align(4), aligned(64);
  const auto at = [&](V* base, V* index) { return b_.CreateInBoundsGEP(number, base, index); };
  const Temporary rowFactors(*this, match.rowCount * width * 4),
      columnFactors(*this, width * padded * 4);
  V *a = rowFactors.place(), *b = columnFactors.place();
  V *rowLo = scalarValue(expr(match.rows->lo)), *columnLo = scalarValue(expr(match.columns->lo));
  cache_.clear();
  const auto setRow = [&](V* m) {
    vars_[static_cast<size_t>(match.rows->var)] = {Value{b_.CreateAdd(rowLo, m)}};
  };
  const auto setColumn = [&](V* k) {
    vars_[static_cast<size_t>(match.columns->var)] = {Value{b_.CreateAdd(columnLo, k)}};
  };
  // a[m][lane], inactive lanes zero
  auto* rowsReady = newBlock("rows");
  countedLoop(
      i64(0), i64(match.rowCount), 1, false, rowsReady,
      [&](V* m) {
        setRow(m);
        b_.CreateAlignedStore(valueOrZeros(match.a), at(a, b_.CreateMul(m, i64(width))), aligned);
      },
      false);
  b_.SetInsertPoint(rowsReady);

  // b[lane][k], padded with zeros
  const auto transposeColumns = [&](V* first, int64_t count) {
    const auto column = [&](int64_t j) {
      setColumn(b_.CreateAdd(first, i64(j)));
      return valueOrZeros(match.b);
    };
    transposed(count, column, [&](int64_t lane, V* columns) {
      b_.CreateAlignedStore(columns, at(b, b_.CreateAdd(first, i64(lane * padded))), align);
    });
  };
  const int64_t wholeColumns = match.columnCount / length * length;
  if (wholeColumns > 0) {
    auto* columnsReady = newBlock("columns");
    countedLoop(
        i64(0), i64(wholeColumns), length, false, columnsReady,
        [&](V* k) { transposeColumns(k, length); }, false);
    b_.SetInsertPoint(columnsReady);
  }
  if (wholeColumns < match.columnCount)
    transposeColumns(i64(wholeColumns), match.columnCount - wholeColumns);

  // Lanes past the loop's end come last and need no turn.
  V* turns = i64(width);
  if (lanes_.mask != nullptr && !lanes_.conditional)
    turns = b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, laneBits(lanes_.mask)),
                          b_.getInt64Ty());

  const auto tile = [&](V* m, int64_t height, V* k, int64_t vectors, int64_t columns) {
    Vectors places, sums, masks;
    for (int64_t j = 0; j < vectors; ++j) {
      const int64_t left = std::min(length, columns - j * length);
      masks.push_back(maskOfFirst(left));
    }
    for (int64_t i = 0; i < height; ++i) {
      setRow(b_.CreateAdd(m, i64(i)));
      setColumn(k);
      cache_.clear();
      V* row = address(match.accumulate->buffer, scalarValue(expr(match.index)));
      for (int64_t j = 0; j < vectors; ++j) {
        V* place = at(row, i64(j * length));
        places.push_back(place);
        sums.push_back(loadRow(match.accumulate->buffer, place, masks[static_cast<size_t>(j)]));
      }
    }
    cache_.clear();
    auto* start = newBlock("tile");
    auto* done = newBlock("tile.end");
    auto* before = b_.GetInsertBlock();
    b_.CreateBr(start);
    b_.SetInsertPoint(start);
    auto* lane = b_.CreatePHI(b_.getInt64Ty(), 2);
    lane->addIncoming(i64(0), before);
    std::vector<llvm::PHINode*> carried;
    for (V* sum : sums) {
      carried.push_back(b_.CreatePHI(vector, 2));
      carried.back()->addIncoming(sum, before);
    }
    Vectors right;
    V* rightRow = at(b, b_.CreateAdd(b_.CreateMul(lane, i64(padded)), k));
    for (int64_t j = 0; j < vectors; ++j)
      right.push_back(b_.CreateAlignedLoad(vector, at(rightRow, i64(j * length)), align));
    V* leftColumn = at(a, b_.CreateAdd(b_.CreateMul(m, i64(width)), lane));
    Vectors next;
    for (int64_t i = 0; i < height; ++i) {
      V* left =
          b_.CreateVectorSplat(static_cast<unsigned>(length),
                               b_.CreateAlignedLoad(number, at(leftColumn, i64(i * width)), align));
      for (int64_t j = 0; j < vectors; ++j)
        next.push_back(b_.CreateIntrinsic(
            llvm::Intrinsic::fma, {vector},
            {left, right[static_cast<size_t>(j)], carried[static_cast<size_t>(i * vectors + j)]}));
    }
    V* nextLane = b_.CreateNSWAdd(lane, i64(1));
    lane->addIncoming(nextLane, start);
    for (size_t i = 0; i < next.size(); ++i) carried[i]->addIncoming(next[i], start);
    b_.CreateCondBr(b_.CreateICmpSLT(nextLane, turns), start, done);
    b_.SetInsertPoint(done);
    for (size_t i = 0; i < next.size(); ++i)
      storeRow(match.accumulate->buffer, next[i], places[i],
               masks[i % static_cast<size_t>(vectors)]);
  };

  const int64_t registers = vectorRegisters_ * 3 / 4;
  const int64_t most = vectorRegisters_ >= 32 ? 4 : 2;
  const int64_t vectors = std::min(most, padded / length);
  const int64_t height = std::min(match.rowCount, registers / vectors);
  const auto rowsOf = [&](V* k, int64_t count, int64_t columns) {
    const int64_t whole = match.rowCount / height * height;
    auto* rowsDone = newBlock("rows.end");
    countedLoop(
        i64(0), i64(whole), height, false, rowsDone,
        [&](V* m) { tile(m, height, k, count, columns); }, false);
    b_.SetInsertPoint(rowsDone);
    if (whole < match.rowCount) tile(i64(whole), match.rowCount - whole, k, count, columns);
  };
  whereAnyIsActive([&] {
    const int64_t step = vectors * length;
    const int64_t wholeSteps = match.columnCount / step * step;
    if (wholeSteps > 0) {
      auto* columnsDone = newBlock("columns.end");
      countedLoop(
          i64(0), i64(wholeSteps), step, false, columnsDone,
          [&](V* k) { rowsOf(k, vectors, step); }, false);
      b_.SetInsertPoint(columnsDone);
    }
    if (const int64_t left = match.columnCount - wholeSteps; left > 0)
      rowsOf(i64(wholeSteps), (left + length - 1) / length, left);
  });
  return true;
}

}  // namespace rlc::cpu
