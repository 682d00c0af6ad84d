// Bands: where an element lies, and what a loop over lanes fetches of the file ahead of its use.
#include "jit/cpu/bands.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

llvm::Value* Emitter::inBands(const Bands& bands, V* element) {
  if (!bands) return element;
  V* lanes = llvm::ConstantInt::get(element->getType(), static_cast<uint64_t>(bands.lanes));
  V* row = b_.CreateUDiv(element, lanes);
  return inBands(bands, row, b_.CreateSub(element, b_.CreateMul(row, lanes)));
}

llvm::Value* Emitter::inBands(const Bands& bands, V* row, V* lane) {
  const auto number = [&](int64_t value) {
    return llvm::ConstantInt::get(row->getType(), static_cast<uint64_t>(value));
  };
  V* first = b_.CreateMul(b_.CreateUDiv(lane, number(bands.width)), number(bands.width));
  V* width = number(bands.width);
  if (bands.lanes % bands.width != 0)
    width = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, width,
                                     b_.CreateSub(number(bands.lanes), first));
  V* begin = b_.CreateAdd(b_.CreateMul(first, number(bands.rows)), b_.CreateSub(lane, first));
  return b_.CreateAdd(begin, b_.CreateMul(row, width));
}

// The band that begins with this lane, of each tensor.
void Emitter::fetchBand(const Stmt& loop, V* lane) {
  const auto found = plan_.bands.fetched.find(&loop);
  if (found == plan_.bands.fetched.end()) return;
  for (loops::BufferId id : found->second) {
    const Bands& bands = bandsOf(id);
    const auto size = static_cast<int64_t>(byteSize(bufferAt(id).type));
    V* width = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i64(bands.width),
                                        b_.CreateSub(i64(bands.lanes), lane));
    V* begin = b_.CreateMul(lane, i64(bands.rows));
    fetchAhead(b_.CreateInBoundsGEP(memoryType(bufferAt(id).type), base(id), begin),
               b_.CreateMul(width, i64(bands.rows * size)));
  }
}

// Once a band, before its first block is worked on.
void Emitter::fetchNextBand(const Stmt& loop, V* lane, V* end) {
  const auto found = plan_.bands.fetched.find(&loop);
  if (found == plan_.bands.fetched.end()) return;
  V* width = i64(bandsOf(found->second.front()).width);
  V* next = b_.CreateAdd(lane, width);
  V* isNext = b_.CreateAnd(b_.CreateICmpEQ(b_.CreateURem(lane, width), i64(0)),
                           b_.CreateICmpSLT(next, end));
  auto* fetch = newBlock("fetch");
  auto* fetched = newBlock("fetched");
  b_.CreateCondBr(isNext, fetch, fetched);
  b_.SetInsertPoint(fetch);
  fetchBand(loop, next);
  b_.CreateBr(fetched);
  b_.SetInsertPoint(fetched);
}

}  // namespace rlc::cpu
