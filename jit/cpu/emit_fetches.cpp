// Strips of loops over a mapped file: what the next one touches is asked for while one is computed.

#include <utility>

#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

const char* const kFetchAhead = "rlc_fetch_ahead";
const char* const kWillFetch = "rlc_will_fetch";
const char* const kDrop = "rlc_drop";

}  // namespace

void Emitter::tellOfBytes(const char* function, V* from, V* bytes) {
  b_.CreateCall(runtimeFunction(function, b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty()}),
                {from, bytes});
}

void Emitter::fetchAhead(V* from, V* bytes) { tellOfBytes(kFetchAhead, from, bytes); }

void Emitter::adviseFetched(V* from, int64_t bytes) { tellOfBytes(kWillFetch, from, i64(bytes)); }

void Emitter::adviseArena() {
  for (const FetchPlan::Bytes& bytes : plan_.fetches.pages)
    adviseFetched(
        b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.arena, static_cast<uint64_t>(bytes.begin)),
        bytes.end - bytes.begin);
}

// What the block before has left is neither written out nor read back.
void Emitter::dropLeftOver(const Stmt& lanes) {
  const auto found = plan_.fetches.dropped.find(&lanes);
  if (found == plan_.fetches.dropped.end()) return;
  for (loops::BufferId id : found->second) {
    const loops::Buffer& buffer = bufferAt(id);
    tellOfBytes(kDrop, base(id),
                i64(buffer.elements * lanes_.width * static_cast<int64_t>(byteSize(buffer.type))));
  }
}

// Within the buffer: what an iteration touches at an end may be a part of what it touches
// elsewhere.
llvm::Value* Emitter::fetchedAddress(const Fetch& fetch, const Stmt& loop, V* iteration) {
  V* element = i64(fetch.first.constant);
  for (const auto& [var, coefficient] : fetch.first.coefficients) {
    V* value = var == loop.var ? iteration : vars_[static_cast<size_t>(var)].value.v;
    element = b_.CreateAdd(element, b_.CreateMul(value, i64(coefficient)));
  }
  element = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, element, i64(0));
  element = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, element,
                                     i64(bufferAt(fetch.buffer).elements - 1));
  return b_.CreatePtrToInt(address(fetch.buffer, element), b_.getInt64Ty());
}

// `number` iterations of the loop from `first` on, which is the lowest.
void Emitter::fetchIterations(const Fetch& fetch, const Stmt& loop, V* first, V* number) {
  V* last = b_.CreateSub(b_.CreateAdd(first, number), i64(1));
  V *begin = fetchedAddress(fetch, loop, first), *end = fetchedAddress(fetch, loop, last);
  if (fetch.step < 0) std::swap(begin, end);
  V* bytes = b_.CreateAdd(b_.CreateSub(end, begin), i64(fetch.spanBytes));
  const auto fetchPiece = [&](V* from) {
    fetchAhead(b_.CreateIntToPtr(from, b_.getPtrTy()), bytes);
  };
  if (fetch.pieces == 1) return fetchPiece(begin);
  auto* done = newBlock("pieces.end");
  countedLoop(
      i64(0), i64(fetch.pieces), 1, false, done,
      [&](V* piece) {
        fetchPiece(b_.CreateAdd(begin, b_.CreateMul(piece, i64(fetch.pieceBytes))));
      },
      false);
  b_.SetInsertPoint(done);
}

const LoopFetches* Emitter::fetchesOf(const Stmt& loop) const {
  const auto found = plan_.fetches.loops.find(&loop);
  return found == plan_.fetches.loops.end() ? nullptr : &found->second;
}

// The strips that begin when `done` iterations of lo .. hi are done.
void Emitter::fetchStrips(const Stmt& loop, const LoopFetches& fetches, V* lo, V* hi, V* done) {
  for (const Fetch& fetch : fetches.of) {
    const auto known = [&](const auto& term) {
      return term.first == loop.var ||
             (vars_[static_cast<size_t>(term.first)].value.v != nullptr &&
              vars_[static_cast<size_t>(term.first)].value.shape != Shape::Varying);
    };
    if (!std::all_of(fetch.first.coefficients.begin(), fetch.first.coefficients.end(), known))
      continue;
    V* left = b_.CreateSub(b_.CreateSub(hi, lo), done);
    V* begins = b_.CreateICmpSGT(left, i64(0));
    if (fetch.every > fetches.every)
      begins =
          b_.CreateAnd(begins, b_.CreateICmpEQ(b_.CreateAnd(done, i64(fetch.every - 1)), i64(0)));
    auto* fetching = newBlock("fetch");
    auto* fetched = newBlock("fetched");
    b_.CreateCondBr(begins, fetching, fetched);
    b_.SetInsertPoint(fetching);
    V* number = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, i64(fetch.every));
    V* first =
        loop.descending ? b_.CreateSub(b_.CreateSub(hi, done), number) : b_.CreateAdd(lo, done);
    fetchIterations(fetch, loop, first, number);
    b_.CreateBr(fetched);
    b_.SetInsertPoint(fetched);
  }
}

}  // namespace rlc::cpu
