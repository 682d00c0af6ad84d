#include "jit/cpu/tile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestSteps = 4;  // of a reduction worth tiling

class Tiler {
 public:
  Tiler(Program& program, const TileOptions& options) : program_(program), options_(options) {}

  void run() { visit(program_.body, nullptr, nullptr); }

 private:
  // What a loop's body does, as far as tiling needs to know.
  struct Body {
    std::set<VarId> defined;        // loops' variables and locals
    std::map<VarId, int> declared;  // mutable locals, and how many loops are around them
    std::set<VarId> accumulators;   // declared outside an inner loop, assigned in it
    std::vector<const Stmt*> writes;
    std::vector<bool> writeInLoop;
    std::set<BufferId> reads;
    std::vector<Expr> innerLoads;  // loads inside inner loops
    bool lanes = false;            // holds a Lanes loop
    bool plain = true;             // only statements that can be replicated
    bool longLoop = false;         // an inner loop of some length that assigns accumulators
    int64_t lanesTrip = 0;         // of the Lanes loop, 0: unknown
  };

  void visit(Block& block, const Stmt* lanes, const Stmt* parent) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      const bool isFor = stmt.kind == Stmt::Kind::For;
      if (isFor) {
        stmt.lo = settleExtremes(stmt.lo, ranges_);
        stmt.hi = settleExtremes(stmt.hi, ranges_);
        noteRange(stmt, ranges_);
      }
      const Stmt* inner =
          isFor && stmt.loop == Stmt::Loop::Lanes && lanes == nullptr ? &stmt : lanes;
      visit(stmt.body, inner, isFor ? &stmt : parent);
      visit(stmt.otherwise, lanes, parent);
      if (!isFor || stmt.loop == Stmt::Loop::Lanes) continue;
      Block tiled = tile(stmt, lanes, parent);
      if (tiled.empty()) continue;
      i = putInPlace(block, i, std::move(tiled));
    }
  }

  static void describe(const Block& block, int depth, int64_t trip, Body& body) {
    for (const auto& stmt : block) {
      switch (stmt->kind) {
        case Stmt::Kind::Let:
          body.defined.insert(stmt->var);
          break;
        case Stmt::Kind::Declare:
          body.defined.insert(stmt->var);
          body.declared[stmt->var] = depth;
          break;
        case Stmt::Kind::Assign:
          if (body.defined.count(stmt->var) == 0) body.plain = false;
          if (const auto found = body.declared.find(stmt->var);
              found != body.declared.end() && depth > found->second) {
            body.accumulators.insert(stmt->var);
            body.longLoop |= trip >= kFewestSteps;
          }
          break;
        case Stmt::Kind::Store:
        case Stmt::Kind::Accumulate:
          body.writes.push_back(stmt.get());
          body.writeInLoop.push_back(depth > 0);
          break;
        case Stmt::Kind::For:
        case Stmt::Kind::If:
          break;
        case Stmt::Kind::Check:
        case Stmt::Kind::Exit:
        case Stmt::Kind::Emit:
        case Stmt::Kind::Call:
          body.plain = false;
          break;
      }
      forEachExpr(*stmt, [&](const Expr& e) {
        forEachNode(e, [&](const ExprNode& node) {
          if (node.buffer >= 0) body.reads.insert(node.buffer);
          if (node.kind == ExprNode::Kind::Random) body.plain = false;
          if (node.kind == ExprNode::Kind::Load && depth > 0 && stmt->kind != Stmt::Kind::For)
            body.innerLoads.push_back(node.args[0]);
        });
      });
      int inner = depth;
      int64_t innerTrip = trip;
      if (stmt->kind == Stmt::Kind::For) {
        body.defined.insert(stmt->var);
        body.plain &= stmt->loop != Stmt::Loop::Parallel;
        // A Lanes loop directly inside is one more dimension of the tile; deeper it is part of the
        // reduction.
        const bool dimension = stmt->loop == Stmt::Loop::Lanes && stmt->reductions.empty();
        if (stmt->loop == Stmt::Loop::Lanes) {
          body.lanes = true;
          body.lanesTrip = tripCount(*stmt).value_or(0);
        }
        if (!dimension) {
          ++inner;
          innerTrip = trip * tripCount(*stmt).value_or(16);
        }
      }
      describe(stmt->body, inner, innerTrip, body);
      describe(stmt->otherwise, inner, innerTrip, body);
    }
  }

  // Iterations may interleave: nothing that one writes is read or overwritten by another. Of what
  // the program itself keeps that is known where iterations may run at once; what they compute on
  // the way, in storage that code generation gave them, they may share.
  bool independent(const Stmt& loop, const Body& body) const {
    if (!body.plain) return false;
    const bool atOnce =
        loop.elements || (loop.loop == Stmt::Loop::Parallel && loop.reductions.empty());
    for (size_t i = 0; i < body.writes.size(); ++i) {
      const Stmt& write = *body.writes[i];
      if (atOnce && bufferOf(write).kind == Buffer::Kind::Arena) continue;
      for (BufferId read : body.reads)
        if (mayOverlap(program_, read, write.buffer)) return false;
      std::vector<Expr> places{write.index};
      for (const Stmt* other : body.writes) {
        if (other == &write || !mayOverlap(program_, other->buffer, write.buffer)) continue;
        if (other->buffer != write.buffer) return false;
        places.push_back(other->index);
      }
      const bool ordered =
          places.size() > 1 || (write.kind == Stmt::Kind::Store && body.writeInLoop[i]);
      if (ordered && !separates(places, loop, body)) return false;
    }
    return true;
  }

  const Buffer& bufferOf(const Stmt& write) const {
    return program_.buffers[static_cast<size_t>(write.buffer)];
  }

  // Whether different iterations of `loop` write to different places, whatever the variables inside
  // are.
  bool separates(const std::vector<Expr>& places, const Stmt& loop, const Body& body) const {
    std::optional<std::map<VarId, int64_t>>
        shared;  // coefficients of `loop`'s variable and of those outside
    Interval spread{0, 0};
    for (size_t i = 0; i < places.size(); ++i) {
      const auto linear = linearOf(places[i]);
      if (!linear) return false;
      std::map<VarId, int64_t> outside;
      Interval own{linear->constant, linear->constant};
      for (const auto& [var, coefficient] : linear->coefficients) {
        if (coefficient == 0) continue;
        if (body.defined.count(var) == 0) {
          outside[var] = coefficient;
          continue;
        }
        const auto range = ranges_.find(var);
        if (range == ranges_.end()) return false;
        own.lo += std::min(coefficient * range->second.lo, coefficient * range->second.hi);
        own.hi += std::max(coefficient * range->second.lo, coefficient * range->second.hi);
      }
      if (shared && *shared != outside) return false;
      shared = outside;
      spread = i == 0 ? own : Interval{std::min(spread.lo, own.lo), std::max(spread.hi, own.hi)};
    }
    const auto step = shared->find(loop.var);
    return step != shared->end() && spread.hi - spread.lo < std::abs(step->second);
  }

  bool sharesAndUses(const Body& body, VarId var) const {
    bool shares = false, uses = false;
    for (const Expr& index : body.innerLoads) (mentions(index, var) ? uses : shares) = true;
    return shares && uses;
  }

  Block tile(Stmt& loop, const Stmt* lanes, const Stmt* parent) {
    if (loop.descending || loop.body.empty()) return {};
    Body body;
    describe(loop.body, 0, 1, body);
    if (!body.longLoop || (lanes == nullptr && !body.lanes)) return {};
    if (!sharesAndUses(body, loop.var) || !independent(loop, body)) return {};
    const auto trip = tripCount(loop);
    if (!trip || *trip < 2) return {};
    const auto own = static_cast<int64_t>(body.accumulators.size());
    int64_t most = mostAccumulators(options_, lanes != nullptr ? tripCount(*lanes).value_or(0)
                                                               : body.lanesTrip) /
                   own;
    // Where the loop around can be tiled as well, a square tile needs the fewest loads.
    if (own == 1 && parent != nullptr && parent->loop == Stmt::Loop::Sequential &&
        parent->body.size() == 1 && sharesAndUses(body, parent->var) &&
        tripCount(*parent).value_or(0) >= 2)
      most = std::max<int64_t>(2, static_cast<int64_t>(std::sqrt(static_cast<double>(most))));
    if (most < 2) return {};
    const int64_t factor = factorFor(*trip, most);
    Block result = jam(loop, factor, *trip);
    if (!result.empty()) result.front()->root = loop.root;
    for (const StmtPtr& part : result) part->region = loop.region;
    return result;
  }

  static int64_t factorFor(int64_t trip, int64_t most) {
    if (trip <= most) return trip;
    for (int64_t factor = most; factor * 2 > most && factor >= 2; --factor)
      if (trip % factor == 0) return factor;
    return most;
  }

  Block jam(Stmt& loop, int64_t factor, int64_t trip) {
    Block result;
    const int64_t blocks = trip / factor, rest = trip % factor;
    if (blocks == 1) {
      append(result, copies(loop, factor, loop.lo));
    } else {
      StmtPtr outer =
          makeLoop(loop, loop.loop, program_.variables++, loops::index(0), loops::index(blocks));
      outer->reductions = loop.reductions;
      outer->comment = loop.comment + " by " + std::to_string(factor);
      ranges_[outer->var] = {0, blocks - 1};
      const Expr first = loop.lo + loops::variable(outer->var, DType::I64) * loops::index(factor);
      outer->body = copies(loop, factor, first);
      result.push_back(std::move(outer));
    }
    if (rest > 0) append(result, copies(loop, rest, loop.lo + loops::index(blocks * factor)));
    return result;
  }

  Block copies(const Stmt& loop, int64_t count, const Expr& first) {
    std::vector<Renaming> renamings(static_cast<size_t>(count));
    for (int64_t j = 0; j < count; ++j)
      renamings[static_cast<size_t>(j)].replace(loop.var, first + loops::index(j));
    return jamBlock(loop.body, renamings);
  }

  // Statements once for each copy; loops and conditions that all copies share, once, around copies
  // of their bodies.
  Block jamBlock(const Block& block, std::vector<Renaming>& renamings) {
    Block result;
    for (const auto& stmt : block) {
      const bool nests = stmt->kind == Stmt::Kind::For || stmt->kind == Stmt::Kind::If;
      const bool shared = nests && !differs(stmt->lo, renamings) && !differs(stmt->hi, renamings) &&
                          !differs(stmt->value, renamings);
      if (!shared) {
        for (Renaming& renaming : renamings)
          result.push_back(copyStmt(*stmt, renaming, program_.variables));
        continue;
      }
      StmtPtr copy = copyHead(*stmt, renamings.front());
      if (stmt->kind == Stmt::Kind::For) {
        copy->var = program_.variables++;
        if (const auto range = ranges_.find(stmt->var); range != ranges_.end())
          ranges_[copy->var] = range->second;
        copy->reductions.clear();
        for (const auto& reduction : stmt->reductions) {
          if (reduction.local < 0) {
            copy->reductions.push_back(reduction);
            continue;
          }
          for (Renaming& renaming : renamings)
            copy->reductions.push_back(
                {reduction.buffer, renaming.local(reduction.local), reduction.combine});
        }
        for (Renaming& renaming : renamings)
          renaming.replace(stmt->var, loops::variable(copy->var, DType::I64));
      }
      copy->body = jamBlock(stmt->body, renamings);
      copy->otherwise = jamBlock(stmt->otherwise, renamings);
      result.push_back(std::move(copy));
    }
    return result;
  }

  // Whether the copies of the expression are not all the same.
  static bool differs(const Expr& e, std::vector<Renaming>& renamings) {
    if (!e || !renamings.front().touches(e)) return false;
    const Expr first = renamings.front()(e);
    for (Renaming& renaming : renamings)
      if (!sameExpr(first, renaming(e))) return true;
    return false;
  }

  Program& program_;
  const TileOptions& options_;
  Ranges ranges_;
};

}  // namespace

int64_t mostAccumulators(const TileOptions& options, int64_t lanes) {
  int64_t width = options.width;
  while (lanes > 0 && width > 1 && width / 2 >= lanes) width /= 2;
  const int64_t perValue = std::max<int64_t>(1, width * 4 / options.vectorBytes);
  const int64_t registers = options.vectorRegisters - options.vectorRegisters / 4;
  return std::max<int64_t>(1, registers / perValue);
}

Program tileContractions(const Program& program, const TileOptions& options) {
  Program tiled = copyProgram(program);
  Tiler(tiled, options).run();
  return tiled;
}

}  // namespace rlc::cpu
