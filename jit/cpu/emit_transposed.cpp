// From lanes to memory rows: where each lane stores elements that follow each other, in any order,
// squares of lanes and elements are transposed in registers, and each lane's elements are stored as
// vectors. Lane by lane each of them would be a scatter.
#include <algorithm>
#include <cstdlib>

#include "jit/cpu/emitter.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/transpose.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

void Emitter::transposed(int64_t count, const std::function<V*(int64_t)>& column,
                         const std::function<void(int64_t, V*)>& use) {
  const int64_t width = lanes_.width, length = laneVector();
  std::vector<V*> lanes;
  for (int64_t j = 0; j < length; ++j)
    lanes.push_back(j < count ? column(j)
                              : llvm::Constant::getNullValue(vectorOf(b_.getFloatTy())));
  for (int64_t part = 0; part < width; part += length) {
    std::vector<V*> square;
    std::vector<int> positions;
    for (int64_t p = 0; p < length; ++p) positions.push_back(static_cast<int>(part + p));
    for (V* v : lanes) square.push_back(b_.CreateShuffleVector(v, positions));
    transpose(b_, square);
    for (int64_t p = 0; p < length; ++p) use(part + p, square[static_cast<size_t>(p)]);
  }
}

llvm::Value* Emitter::maskOfFirst(int64_t count) {
  if (count >= laneVector()) return nullptr;
  std::vector<llvm::Constant*> bits;
  for (int64_t j = 0; j < laneVector(); ++j) bits.push_back(b_.getInt1(j < count));
  return llvm::ConstantVector::get(bits);
}

llvm::Value* Emitter::loadRow(loops::BufferId id, V* place, V* mask) {
  auto* vector = llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(laneVector()));
  const llvm::Align align(4);
  llvm::Instruction* const loaded =
      mask == nullptr
          ? static_cast<llvm::Instruction*>(b_.CreateAlignedLoad(vector, place, align))
          : b_.CreateMaskedLoad(vector, place, align, mask, llvm::Constant::getNullValue(vector));
  return tagged(loaded, id);
}

void Emitter::storeRow(loops::BufferId id, V* row, V* place, V* mask) {
  const llvm::Align align(4);
  tag(mask == nullptr ? static_cast<llvm::Instruction*>(b_.CreateAlignedStore(row, place, align))
                      : b_.CreateMaskedStore(row, place, align, mask),
      id);
}

bool Emitter::transposedStore(const Stmt& stmt) {
  const auto trip = tripCount(stmt);
  const int64_t length = laneVector();
  if (!stmt.elements || stmt.descending || length < 4 || !trip || *trip < length ||
      stmt.body.size() != 1)
    return false;
  const Stmt& store = *stmt.body[0];
  if (store.kind != Stmt::Kind::Store || laneOwned(store.buffer) || bandsOf(store.buffer) ||
      bufferAt(store.buffer).type != DType::F32)
    return false;
  bool varies = false;
  forEachNode(store.value, [&](const ExprNode& node) {
    varies |= node.kind == ExprNode::Kind::Random || node.buffer == store.buffer;
  });
  if (varies || isVarying(plan_, program_, stmt.lo)) return false;
  const loops::VarId lane = lanes_.loop->var;
  const auto linear =
      linearIn(store.index, [&](loops::VarId var) { return var == stmt.var || var == lane; });
  if (!linear || linear->coefficients.count(stmt.var) == 0 ||
      linear->coefficients.at(stmt.var) != 1 || linear->coefficients.count(lane) == 0 ||
      std::abs(linear->coefficients.at(lane)) < *trip)
    return false;
  const auto setColumn = [&](V* at) {
    vars_[static_cast<size_t>(stmt.var)] = {Value{at}};
    cache_.clear();
  };
  V* lo = scalarValue(expr(stmt.lo));
  setColumn(lo);
  const Value index = expr(store.index);
  if (index.shape != Value::Shape::Linear) return false;
  const auto columns = [&](V* first, int64_t count) {
    setColumn(b_.CreateAdd(lo, first));
    const Value place = expr(store.index);
    const auto column = [&](int64_t j) {
      setColumn(b_.CreateAdd(b_.CreateAdd(lo, first), i64(j)));
      V* value = vectorValue(expr(store.value));
      cache_.clear();
      return value;
    };
    transposed(count, column, [&](int64_t p, V* row) {
      V* pointer = address(store.buffer, b_.CreateAdd(place.v, i64(p * place.stride)));
      V* mask = lanes_.mask == nullptr
                    ? nullptr
                    : b_.CreateVectorSplat(static_cast<unsigned>(length),
                                           b_.CreateExtractElement(lanes_.mask, i64(p)));
      if (V* inside = maskOfFirst(count))
        mask = mask == nullptr ? inside : b_.CreateAnd(mask, inside);
      storeRow(store.buffer, row, pointer, mask);
    });
  };
  const int64_t whole = *trip / length * length;
  auto* stored = newBlock("stored");
  countedLoop(
      i64(0), i64(whole), length, false, stored, [&](V* first) { columns(first, length); }, false);
  b_.SetInsertPoint(stored);
  if (whole < *trip) columns(i64(whole), *trip - whole);
  cache_.clear();
  return true;
}

}  // namespace rlc::cpu
