#include "jit/cpu/batch_products.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "jit/cpu/blocks.h"
#include "jit/cpu/outer.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestSamples = 32;
constexpr int64_t kFewestResults = 1024;  // fewer are cheap to copy
constexpr int64_t kFewestOutputs = 16;
constexpr int64_t kCopies = 16;              // of the results, that would be made for chunks
constexpr int64_t kMostCollected = 4 << 20;  // numbers; more than caches hold
constexpr int64_t kWideColumns = 128;  // from which on a block of columns is two registers wide
// Of the samples, where they are multiplied apart: each has results of its own, as a whole
// network's weights are, and with two all threads up to two have none but their own samples.
constexpr int64_t kThreadParts = 2;

class BatchMultiplier {
 public:
  explicit BatchMultiplier(Program& program) : program_(program) {}

  size_t visit(Block& block, size_t at, const LaneBlocks& all) {
    Block products = collect(*block[at], all);
    const size_t count = products.size();
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                 std::make_move_iterator(products.begin()),
                 std::make_move_iterator(products.end()));
    return at + count;
  }

 private:
  struct Samples {
    VarId var = -1;
    int64_t first = 0, count = 0;
    Expr block;          // the number of the block that they are in
    int64_t length = 0;  // of a block
  };

  Block collect(Stmt& blocks, const LaneBlocks& all) {
    Stmt& lanes = *blocks.body[0];
    if (all.count < kFewestSamples) return {};
    const Samples samples{lanes.var, all.first, all.count, at(blocks.var) - blocks.lo, all.length};
    inside_ = {lanes.var};
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare)
        inside_.insert(stmt.var);
    });
    pool_ = 1 - pool_;
    pools_[pool_].used = 0;
    std::set<BufferId> done;
    Block products = collect(lanes.body, lanes, samples, done);
    for (Stmt* loop : {&blocks, &lanes})
      std::erase_if(loop->reductions, [&](const Stmt::Reduction& reduction) {
        return done.count(reduction.buffer) != 0;
      });
    for (const StmtPtr& product : products) product->region = blocks.region;
    return products;
  }

  // Whether it may differ between samples.
  bool differs(const Expr& e) const {
    bool found = false;
    forEachNode(e, [&](const ExprNode& node) {
      found |= node.kind == ExprNode::Kind::Variable && inside_.count(node.var) != 0;
      found |= node.kind == ExprNode::Kind::Load;
    });
    return found;
  }

  Block collect(Block& block, const Stmt& lanes, const Samples& samples, std::set<BufferId>& done) {
    Block products;
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::If && stmt.otherwise.empty() && !differs(stmt.value)) {
        Block inner = collect(stmt.body, lanes, samples, done);
        if (inner.empty()) continue;
        Renaming same;
        products.push_back(copyHead(stmt, same));
        products.back()->body = std::move(inner);
        continue;
      }
      if (stmt.kind != Stmt::Kind::For) continue;
      const auto match =
          matchOuterProduct(program_, stmt, [&](const Expr& e) { return differs(e); });
      if (!match || !isWorth(*match, samples) || !isOnly(*match->accumulate, lanes)) continue;
      done.insert(match->accumulate->buffer);
      auto [kept, product] = split(*match, samples);
      i = putInPlace(block, i, std::move(kept));
      std::move(product.begin(), product.end(), std::back_inserter(products));
    }
    return products;
  }

  static bool isWorth(const OuterProduct& match, const Samples& samples) {
    const int64_t collected = samples.count * (match.rowCount + match.columnCount),
                  results = match.rowCount * match.columnCount;
    return match.columnCount >= kFewestOutputs && results >= kFewestResults &&
           collected <= kMostCollected && collected < kCopies * results &&
           match.a->type == DType::F32 && match.b->type == DType::F32 &&
           constantOf(match.rows->lo) && constantOf(match.columns->lo);
  }

  bool isOnly(const Stmt& accumulate, const Stmt& lanes) const {
    bool only = true;
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      if (&stmt == &accumulate) return;
      if (stmt.buffer >= 0) only &= !mayOverlap(program_, stmt.buffer, accumulate.buffer);
      for (const Stmt::Place& place : stmt.places)
        only &= !mayOverlap(program_, place.buffer, accumulate.buffer);
    });
    return only;
  }

  // ---- the parts --------------------------------------------------------------------------------

  BufferId scratch(int64_t elements) {
    Pool& pool = pools_[pool_];
    if (pool.used == pool.buffers.size()) {
      Buffer buffer;
      buffer.name = "collected";
      buffer.kind = Buffer::Kind::Scratch;
      pool.buffers.push_back(static_cast<BufferId>(program_.buffers.size()));
      program_.buffers.push_back(std::move(buffer));
    }
    const BufferId id = pool.buffers[pool.used++];
    int64_t& size = program_.buffers[static_cast<size_t>(id)].elements;
    size = std::max(size, elements);
    return id;
  }

  static int64_t widthOf(int64_t columns) { return columns >= kWideColumns ? 32 : 16; }

  // From a sample's columns to the next one's: whole blocks, so that no sum needs a mask.
  static int64_t stride(int64_t columns) {
    const int64_t width = widthOf(columns);
    return (columns + width - 1) / width * width;
  }

  StmtPtr loopOf(const Stmt& like, VarId var, Expr lo, Expr hi, Stmt::Loop kind) {
    StmtPtr loop = makeLoop(like, kind, var, std::move(lo), std::move(hi));
    loop->elements = kind == Stmt::Loop::Sequential;
    return loop;
  }

  static StmtPtr statement(Stmt::Kind kind, const Stmt& like, Expr value) {
    StmtPtr stmt = makeStmt(like, kind);
    stmt->value = std::move(value);
    return stmt;
  }

  std::pair<Block, Block> split(const OuterProduct& match, const Samples& samples) {
    const Stmt &rows = *match.rows, &columns = *match.columns, &sum = *match.accumulate;
    const BufferId left = scratch(samples.count * match.rowCount),
                   right = scratch(samples.count * stride(match.columnCount));
    const Expr sample = at(samples.var) - loops::index(samples.first);
    Block kept;
    const auto keep = [&](VarId var, const Expr& lo, const Expr& hi, BufferId buffer,
                          const Expr& index, const Expr& value) {
      kept.push_back(loopOf(sum, var, lo, hi, Stmt::Loop::Sequential));
      StmtPtr store = statement(Stmt::Kind::Store, sum, value);
      store->buffer = buffer;
      store->index = index;
      kept.back()->body.push_back(std::move(store));
    };
    // Each part by itself: a processor fetches what lies beside what it reads, and would have it
    // from the other's cache.
    const int64_t parts = partsOf(match, samples), ofPart = samples.count / parts;
    const Expr part =
        parts == 1
            ? loops::index(0)
            : loops::op(ScalarOp::FloorDiv, {samples.block, loops::index(ofPart / samples.length)});
    keep(rows.var, rows.lo, rows.hi, left,
         part * loops::index((match.rowCount - 1) * ofPart) +
             (at(rows.var) - rows.lo) * loops::index(ofPart) + sample,
         match.a);
    const Expr row = sample * loops::index(stride(match.columnCount));
    keep(columns.var, columns.lo, columns.hi, right, row + (at(columns.var) - columns.lo), match.b);
    // What lies there otherwise may be subnormal numbers, which processors are slow at.
    if (const int64_t count = match.columnCount; count < stride(count)) {
      const VarId rest = program_.variables++;
      keep(rest, loops::index(count), loops::index(stride(count)), right, row + at(rest),
           loops::literal(Scalar::ofFloat(DType::F32, 0)));
    }
    return {std::move(kept), product({match, samples, left, right}, parts)};
  }

  struct Collected {
    const OuterProduct& match;
    Samples samples;
    BufferId left, right;
  };

  // In how many parts the samples are multiplied, whose results are added up. Each thread then
  // multiplies what it has computed itself, where otherwise it fetches half of it from the other's
  // cache; the results, of which there are fewer, are what goes from one to the other.
  static int64_t partsOf(const OuterProduct& match, const Samples& samples) {
    const bool apart = samples.count >= kThreadParts * kFewestSamples &&
                       samples.count % (kThreadParts * samples.length) == 0 &&
                       kThreadParts * match.rowCount * match.columnCount <
                           samples.count * (match.rowCount + match.columnCount);
    return apart ? kThreadParts : 1;
  }

  static Expr at(VarId var) { return loops::variable(var, DType::I64); }

  // For all rows, and a block of columns from `first` on: what is summed over the samples of a part
  // goes where `result` says.
  template <class Result>
  StmtPtr rowsOf(const Collected& of, const Expr& first, const Expr& part, int64_t parts,
                 const Result& result) {
    const OuterProduct& match = of.match;
    const Stmt& sum = *match.accumulate;
    const int64_t count = of.samples.count / parts;
    const VarId row = program_.variables++, column = program_.variables++,
                step = program_.variables++, total = program_.variables++;
    StmtPtr rows =
        loopOf(sum, row, loops::index(0), loops::index(match.rowCount), Stmt::Loop::Sequential);
    StmtPtr lanes = loopOf(sum, column, first, first + loops::index(widthOf(match.columnCount)),
                           Stmt::Loop::Lanes);
    StmtPtr steps = loopOf(sum, step, loops::index(0), loops::index(count), Stmt::Loop::Sequential);
    StmtPtr zero =
        statement(Stmt::Kind::Declare, sum, loops::literal(Scalar::ofFloat(DType::F32, 0)));
    zero->var = total;
    const Expr sample = part * loops::index(count) + at(step),
               leftRow = part * loops::index(match.rowCount) + at(row);
    StmtPtr add = statement(
        Stmt::Kind::Assign, sum,
        loops::fma(loops::load(of.left, DType::F32, leftRow * loops::index(count) + at(step)),
                   loops::load(of.right, DType::F32,
                               sample * loops::index(stride(match.columnCount)) + at(column)),
                   loops::variable(total, DType::F32)));
    add->var = total;
    steps->elements = false;
    steps->body.push_back(std::move(add));
    lanes->body.push_back(std::move(zero));
    lanes->body.push_back(std::move(steps));
    lanes->body.push_back(result(row, column, loops::variable(total, DType::F32)));
    rows->body.push_back(std::move(lanes));
    return rows;
  }

  static StmtPtr accumulated(const OuterProduct& match, VarId row, VarId column, Expr value) {
    StmtPtr result = statement(Stmt::Kind::Accumulate, *match.accumulate, std::move(value));
    Renaming renaming;
    renaming.replace(match.rows->var, at(row) + match.rows->lo);
    renaming.replace(match.columns->var, at(column) + match.columns->lo);
    result->buffer = match.accumulate->buffer;
    result->index = renaming(match.index);
    return result;
  }

  // Threads share the blocks of columns; a part's are one after the other, so that two threads have
  // a part each.
  Block product(const Collected& of, int64_t parts) {
    const OuterProduct& match = of.match;
    const Stmt& sum = *match.accumulate;
    const int64_t rowStride = stride(match.columnCount), width = widthOf(match.columnCount),
                  blocks = rowStride / width;
    const VarId chunk = program_.variables++;
    StmtPtr chunks =
        loopOf(sum, chunk, loops::index(0), loops::index(parts * blocks), Stmt::Loop::Parallel);
    chunks->comment = "product over a batch";
    chunks->sharedAsLast = true;
    Block product;
    if (parts == 1) {
      chunks->body.push_back(rowsOf(of, at(chunk) * loops::index(width), loops::index(0), parts,
                                    [&](VarId row, VarId column, Expr total) {
                                      return whereColumn(match, column,
                                                         accumulated(match, row, column, total));
                                    }));
      product.push_back(std::move(chunks));
      return product;
    }
    const BufferId results = scratch(parts * match.rowCount * rowStride);
    const auto local = [&](Expr value) {
      StmtPtr let = statement(Stmt::Kind::Let, sum, std::move(value));
      let->var = program_.variables++;
      let->type = DType::I64;
      chunks->body.push_back(std::move(let));
      return at(chunks->body.back()->var);
    };
    const Expr part = local(loops::op(ScalarOp::FloorDiv, {at(chunk), loops::index(blocks)})),
               first = local(loops::op(ScalarOp::Mod, {at(chunk), loops::index(blocks)}) *
                             loops::index(width));
    chunks->body.push_back(rowsOf(of, first, part, parts, [&](VarId row, VarId column, Expr total) {
      StmtPtr store = statement(Stmt::Kind::Store, sum, std::move(total));
      store->buffer = results;
      store->index = resultAt(match, part, row, column);
      return store;
    }));
    product.push_back(std::move(chunks));
    product.push_back(sumOfParts(match, results, parts));
    return product;
  }

  static Expr resultAt(const OuterProduct& match, const Expr& part, VarId row, VarId column) {
    const int64_t rowStride = stride(match.columnCount);
    return part * loops::index(match.rowCount * rowStride) + at(row) * loops::index(rowStride) +
           at(column);
  }

  StmtPtr sumOfParts(const OuterProduct& match, BufferId results, int64_t parts) {
    const Stmt& sum = *match.accumulate;
    const VarId row = program_.variables++, column = program_.variables++;
    Expr total;
    for (int64_t k = 0; k < parts; ++k) {
      const Expr one =
          loops::load(results, DType::F32, resultAt(match, loops::index(k), row, column));
      total = total ? total + one : one;
    }
    StmtPtr rows =
        loopOf(sum, row, loops::index(0), loops::index(match.rowCount), Stmt::Loop::Sequential);
    StmtPtr columns = loopOf(sum, column, loops::index(0), loops::index(match.columnCount),
                             Stmt::Loop::Sequential);
    columns->body.push_back(accumulated(match, row, column, std::move(total)));
    rows->body.push_back(std::move(columns));
    return rows;
  }

  // The last block may have columns that there are not.
  static StmtPtr whereColumn(const OuterProduct& match, VarId column, StmtPtr result) {
    if (match.columnCount == stride(match.columnCount)) return result;
    StmtPtr inside =
        statement(Stmt::Kind::If, *match.accumulate,
                  loops::op(ScalarOp::Lt, {at(column), loops::index(match.columnCount)}));
    inside->body.push_back(std::move(result));
    return inside;
  }

  Program& program_;
  std::set<VarId> inside_;  // locals of the Lanes loop
  // Loops follow each other, so that all have the same scratch memory, but for neighbours, which
  // may come to run side by side (sections.h).
  struct Pool {
    std::vector<BufferId> buffers;
    size_t used = 0;  // by the loop at hand
  };
  std::array<Pool, 2> pools_;
  size_t pool_ = 0;
};

}  // namespace

void multiplyBatches(Program& program) {
  BatchMultiplier multiplier(program);
  forEachBatch(program.body, [&](Block& block, size_t at, const LaneBlocks& lanes) {
    return multiplier.visit(block, at, lanes);
  });
}

}  // namespace rlc::cpu
