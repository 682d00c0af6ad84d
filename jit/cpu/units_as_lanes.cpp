#include "jit/cpu/units_as_lanes.h"

#include <algorithm>
#include <optional>

#include "jit/cpu/ask_ahead.h"
#include "jit/cpu/blocks.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/shared_reads.h"
#include "jit/cpu/unit_packs.h"
#include "jit/cpu/unit_pieces.h"
#include "jit/cpu/unit_writer.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kBlock = 64;          // samples whose activations stay in the caches
constexpr int64_t kFewestInBlock = 16;  // at the end of a chunk
constexpr int64_t kFewSamples = 64;     // samples that repay the packing, where no thread waits
constexpr int64_t kManySamples = 1024;  // and where several threads read what is packed
constexpr double kMore = 1.25;  // times what is worth a second thread, which gains little there
constexpr int64_t kFewestForThreads = 8;  // of a parallel loop, so that many threads share it

class Exchanger {
 public:
  Exchanger(Program& program, const TileOptions& options, Batches batches)
      : program_(program),
        options_(options),
        small_(batches == Batches::Small),
        packs_(program, Buffer::Kind::Scratch) {}

  // Not inside of loops whose iterations run at once: what is packed is one loop's.
  // `around`: the innermost loop around the block.
  void visit(Block& block, const Stmt* around) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      const bool isFor = stmt.kind == Stmt::Kind::For;
      if (isFor) noteRange(stmt, ranges_);
      if (!isFor || stmt.loop == Stmt::Loop::Sequential) {
        visit(stmt.body, isFor ? &stmt : around);
        visit(stmt.otherwise, around);
      } else if (stmt.loop == Stmt::Loop::Parallel && tripCount(stmt)) {
        i = exchange(block, i, around);
      }
    }
  }

 private:
  size_t exchange(Block& block, size_t i, const Stmt* around) {
    Stmt& parallel = *block[i];
    inside_ = {parallel.var};
    written_.clear();
    forEachStmt(parallel.body, [&](const Stmt& stmt) {
      if (stmt.buffer >= 0) written_.insert(stmt.buffer);
    });
    noteInside(parallel.body);
    if (!arrange(parallel, around)) return i;
    exchangeInside(parallel.body, *tripCount(parallel));
    if (packs_.empty()) return i;
    Block packs = packs_.take();
    packs.front()->root = parallel.root;
    parallel.root = -1;
    for (const StmtPtr& part : packs) part->region = parallel.region;
    packs.push_back(std::move(block[i]));
    return putInPlace(block, i, std::move(packs));
  }

  void noteInside(const Block& block) {
    forEachStmt(block, [&](const Stmt& stmt) {
      if (binds(stmt) || stmt.kind == Stmt::Kind::For) inside_.insert(stmt.var);
    });
  }

  // Gives a small batch to one thread, and others whole blocks where that leaves enough of them.
  // Whether the loop is one of those to be looked at.
  bool arrange(Stmt& parallel, const Stmt* around) const {
    const auto lanes = laneBlocks(parallel);
    const bool known = lanes && parallel.body[0]->root < 0 && constantOf(parallel.lo) == 0 &&
                       !mentions(parallel.body[0]->body, parallel.var);
    if (small_) {
      const bool alone =
          known && lanes->count >= kFewSamples && lanes->count < kManySamples &&
          operationsOf(parallel, *tripCount(parallel)) <
              kMore * static_cast<double>(sharedReads(program_, parallel, around).worthThreads());
      if (alone && taken(*parallel.body[0])) return setBlocks(parallel, *lanes, lanes->count);
      return false;
    }
    if (known && lanes->length < kBlock && lanes->count % kBlock == 0 &&
        lanes->count >= std::max(kManySamples, kFewestForThreads * kBlock) &&
        taken(*parallel.body[0]))
      setBlocks(parallel, *lanes, kBlock);
    return true;
  }

  static bool setBlocks(Stmt& parallel, const LaneBlocks& lanes, int64_t length) {
    Stmt& loop = *parallel.body[0];
    parallel.hi = loops::index(lanes.count / length);
    loop.lo = loops::index(lanes.first);
    if (lanes.count > length) loop.lo = loop.lo + at(parallel.var) * loops::index(length);
    loop.hi = loop.lo + loops::index(length);
    return true;
  }

  // The pieces of a loop over samples that can be taken apart, and is worth it.
  std::optional<UnitPieces> taken(const Stmt& lanes) const {
    UnitPieces pieces(program_, lanes);
    const auto inside = [&](VarId var) { return inside_.contains(var); };
    return pieces.take(packs_, inside, written_) ? std::optional(pieces) : std::nullopt;
  }

  void exchangeInside(Block& block, int64_t chunks) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::If) {
        exchangeInside(stmt.body, chunks);
        exchangeInside(stmt.otherwise, chunks);
      } else if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes) {
        if (Block blocks = blocksOf(stmt, chunks); !blocks.empty())
          i = putInPlace(block, i, std::move(blocks));
      }
    }
  }

  // What takes the place of a loop over samples; empty where it stays.
  Block blocksOf(Stmt& lanes, int64_t chunks) {
    lanes.lo = settleExtremes(lanes.lo, ranges_);
    lanes.hi = settleExtremes(lanes.hi, ranges_);
    const int64_t trip = tripCount(lanes).value_or(0);
    if (trip < kFewestInBlock || trip * chunks < (small_ ? kFewSamples : kManySamples) ||
        lanes.root >= 0 || !taken(lanes))
      return {};
    Block result;
    const int64_t whole = trip / kBlock, rest = trip % kBlock;
    if (whole == 1) result = pieces(lanes, lanes.lo, kBlock);
    if (whole > 1) {
      StmtPtr blocks = makeLoop(lanes, Stmt::Loop::Sequential, program_.variables++,
                                loops::index(0), loops::index(whole));
      const Expr first = lanes.lo + at(blocks->var) * loops::index(kBlock);
      blocks->body =
          interleaved(pieces(lanes, first, kBlock),
                      asked(lanes, first + loops::index(kBlock),
                            loops::op(ScalarOp::Lt, {at(blocks->var), loops::index(whole - 1)})));
      result.push_back(std::move(blocks));
    }
    if (rest > 0) append(result, pieces(lanes, lanes.lo + loops::index(whole * kBlock), rest));
    return result;
  }

  Block pieces(const Stmt& lanes, const Expr& first, int64_t count) {
    Renaming fresh;
    const StmtPtr own = copyStmt(lanes, fresh, program_.variables);
    noteInside(own->body);
    return UnitWriter(program_, options_, taken(*own).value(), first, count, packs_).write();
  }

  Block asked(const Stmt& lanes, const Expr& next, const Expr& condition) {
    Block result = askAhead(program_, lanes, next, kBlock, written_);
    for (StmtPtr& stmt : result) {
      StmtPtr when = makeStmt(lanes, Stmt::Kind::If);
      when->value = condition;
      when->body.push_back(std::move(stmt));
      stmt = std::move(when);
    }
    return result;
  }

  Program& program_;
  const TileOptions& options_;
  bool small_;
  UnitPacks packs_;
  Ranges ranges_;
  // Of the parallel loop at hand:
  std::set<VarId> inside_;  // variables that it defines
  std::set<BufferId> written_;
};

}  // namespace

void exchangeUnits(Program& program, const TileOptions& options, Batches batches) {
  Exchanger(program, options, batches).visit(program.body, nullptr);
}

}  // namespace rlc::cpu
