#include "jit/cpu/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "compiler/types/lists.h"
#include "jit/cpu/cache_line.h"
#include "jit/cpu/jam.h"
#include "jit/cpu/lane_products.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/tile_body.h"
#include "jit/cpu/tile_choice.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

int64_t lanesOf(const TileOptions& options, int64_t lanes) {
  int64_t width = options.width;
  while (lanes > 0 && width > 1 && width / 2 >= lanes) width /= 2;
  return width;
}

namespace {

constexpr size_t kMostLoops = 4;        // of a nest; all their orders are looked at
constexpr int64_t kUnknownExtent = 16;  // of a sum, where they aren't known
// Of the first level's cache, which has 32 KiB or more.
constexpr int64_t kWayBytes = 4096, kWays = 8;

// Of a value of each lane of a block.
int64_t registersOf(const TileOptions& options, int64_t block) {
  return std::max<int64_t>(1, block * 4 / options.vectorBytes);
}

class Tiler {
 public:
  Tiler(Program& program, const TileOptions& options) : program_(program), options_(options) {}

  void run() { visit(program_.body, nullptr, nullptr); }

 private:
  void visit(Block& block, const Stmt* lanes, const Stmt* parent) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      const bool isFor = stmt.kind == Stmt::Kind::For;
      if (stmt.units) continue;
      if (isFor) {
        stmt.lo = settleExtremes(stmt.lo, ranges_);
        stmt.hi = settleExtremes(stmt.hi, ranges_);
        noteRange(stmt, ranges_);
      }
      if (Block nest = lanes != nullptr ? tileNest(stmt, *lanes) : Block(); !nest.empty()) {
        i = putInPlace(block, i, std::move(nest));
        continue;
      }
      const Stmt* inner = lanes;
      if (isFor && stmt.loop == Stmt::Loop::Lanes && lanes == nullptr) {
        inner = &stmt;
        inLanes_ = options_;
        if (!options_.forceWidth && multipliesLanes(program_, stmt))
          inLanes_.width = std::max(4, options_.width / 2);  // as the plan has it
        if (stmt.wide) inLanes_.width *= 2;
      }
      visit(stmt.body, inner, isFor ? &stmt : parent);
      visit(stmt.otherwise, lanes, parent);
      if (!isFor || stmt.loop == Stmt::Loop::Lanes) continue;
      Block tiled = tile(stmt, lanes, parent);
      if (tiled.empty()) continue;
      i = putInPlace(block, i, std::move(tiled));
    }
  }

  // Iterations may interleave: nothing that one writes is read or overwritten by another. Of what
  // the program itself keeps that is known where iterations may run at once; what they compute on
  // the way, in storage that code generation gave them, they may share.
  bool independent(const Stmt& loop, const TileBody& body) const {
    if (!body.plain || !isCarriedInOrder(loop, body)) return false;
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

  // Whether what iterations carry on, such as the sum of what each computes, is used by the one
  // statement that changes it: those of a tile still come in order.
  static bool isCarriedInOrder(const Stmt& loop, const TileBody& body) {
    if (body.carried.empty()) return true;
    bool ordered = !body.lanes;
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      forEachExpr(stmt, [&](const Expr& e) {
        for (const auto& [var, times] : body.carried)
          ordered &= times == 1 &&
                     (!mentions(e, var) || (stmt.kind == Stmt::Kind::Assign && stmt.var == var));
      });
    });
    return ordered;
  }

  const Buffer& bufferOf(const Stmt& write) const {
    return program_.buffers[static_cast<size_t>(write.buffer)];
  }

  // Whether different iterations of `loop` write to different places, whatever the variables inside
  // are.
  bool separates(const std::vector<Expr>& places, const Stmt& loop, const TileBody& body) const {
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

  bool sharesAndUses(const TileBody& body, VarId var) const {
    bool shares = false, uses = false;
    for (const TileBody::Load& load : body.innerLoads)
      (mentions(load.index, var) ? uses : shares) = true;
    return shares && uses;
  }

  Block tile(Stmt& loop, const Stmt* lanes, const Stmt* parent) {
    if (loop.descending || loop.body.empty()) return {};
    const TileBody body = describeBody(loop.body);
    if (!body.longLoop || (lanes == nullptr && !body.lanes)) return {};
    if (!sharesAndUses(body, loop.var) || !independent(loop, body)) return {};
    const auto trip = tripCount(loop);
    if (!trip || *trip < 2) return {};
    const auto own = static_cast<int64_t>(body.accumulators.size());
    int64_t most = (lanes != nullptr ? mostAccumulators(inLanes_, tripCount(*lanes).value_or(0))
                                     : mostAccumulators(options_, body.lanesTrip)) /
                   own;
    // Where the loop around can be tiled as well, a square tile needs the fewest loads.
    if (own == 1 && parent != nullptr && parent->loop == Stmt::Loop::Sequential &&
        parent->body.size() == 1 && sharesAndUses(body, parent->var) &&
        tripCount(*parent).value_or(0) >= 2)
      most = std::max<int64_t>(2, static_cast<int64_t>(std::sqrt(static_cast<double>(most))));
    most = std::min(most, mostRows(body, loop.var));
    if (most < 2) return {};
    const int64_t factor = factorFor(*trip, most);
    Block result = jam(program_, ranges_, loop, factor);
    if (!result.empty()) result.front()->root = loop.root;
    for (const StmtPtr& part : result) part->region = loop.region;
    return result;
  }

  // How many iterations may share a tile for their rows to stay in the first level's cache while
  // the sums go along them: rows that are apart by a power of two meet in few of its sets.
  int64_t mostRows(const TileBody& body, VarId row) const {
    int64_t most = std::numeric_limits<int64_t>::max();
    for (const TileBody::Load& load : body.innerLoads) {
      const Buffer& buffer = program_.buffers[static_cast<size_t>(load.buffer)];
      const auto linear = linearOf(load.index);
      if (!linear || buffer.kind == Buffer::Kind::Private) continue;
      const auto bytes = [&, size = static_cast<int64_t>(byteSize(buffer.type))](VarId var) {
        const auto found = linear->coefficients.find(var);
        return found == linear->coefficients.end() ? int64_t{0} : std::abs(found->second) * size;
      };
      const bool along = std::any_of(body.steps.begin(), body.steps.end(), [&](VarId step) {
        return bytes(step) > 0 && bytes(step) < kLineBytes;
      });
      if (along && bytes(row) > 0)
        most = std::min(most, kWays * (kWayBytes / std::gcd(bytes(row), kWayBytes)));
    }
    return most;
  }

  static int64_t factorFor(int64_t trip, int64_t most) {
    if (trip <= most) return trip;
    for (int64_t factor = most; factor * 2 > most && factor >= 2; --factor)
      if (trip % factor == 0) return factor;
    return most;
  }

  // ---- nests of loops ---------------------------------------------------------------------------

  // Loops around a sum, each the only statement of the one around it, that may run in any order.
  struct Nest {
    std::vector<Stmt*> loops;       // outermost first
    std::vector<const Stmt*> sums;  // the loops inside, outermost first
    TileBody body;                  // of the innermost
  };

  // The loops in the order, and with the tiles, that load the least; empty where they are no nest.
  Block tileNest(Stmt& outermost, const Stmt& lanes) {
    auto nest = nestOf(outermost);
    if (!nest) return {};
    const auto model = modelOf(*nest, lanes);
    if (!model) return {};
    const Tile tile = chooseTile(*model);
    Block block = std::move(nest->loops.back()->body);
    for (size_t k = tile.order.size(); k-- > 0;) {
      const Stmt& loop = *nest->loops[tile.order[k]];
      Renaming same;
      StmtPtr head = copyHead(loop, same);
      head->root = -1;
      head->body = std::move(block);
      const int64_t factor = tile.factors[tile.order[k]];
      block.clear();
      if (factor > 1)
        block = jam(program_, ranges_, *head, factor);
      else
        block.push_back(std::move(head));
    }
    block.front()->root = outermost.root;
    for (const StmtPtr& part : block) part->region = outermost.region;
    return block;
  }

  std::optional<Nest> nestOf(Stmt& outermost) {
    Nest nest;
    for (Stmt* loop = &outermost; isCounted(*loop); loop = loop->body.front().get()) {
      noteRange(*loop, ranges_);
      nest.loops.push_back(loop);
      if (loop->body.size() != 1) break;
    }
    if (nest.loops.size() < 2 || nest.loops.size() > kMostLoops ||
        nest.loops.back()->body.size() < 2)
      return std::nullopt;
    if (!collectSums(nest.loops.back()->body, nest.sums)) return std::nullopt;
    nest.body = describeBody(nest.loops.back()->body);
    if (!nest.body.longLoop || nest.body.lanes || !anyOrder(nest)) return std::nullopt;
    return nest;
  }

  static bool isCounted(const Stmt& loop) {
    return loop.kind == Stmt::Kind::For && loop.loop == Stmt::Loop::Sequential && !loop.rootLoop &&
           !loop.units && !loop.descending && constantOf(loop.lo) &&
           tripCount(loop).value_or(0) >= 1;
  }

  // One inside the other, and nothing depends on a condition.
  bool collectSums(const Block& block, std::vector<const Stmt*>& sums) {
    const Stmt* found = nullptr;
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == Stmt::Kind::If || (found != nullptr && stmt->kind == Stmt::Kind::For))
        return false;
      if (stmt->kind == Stmt::Kind::For) found = stmt.get();
    }
    if (found == nullptr) return true;
    noteRange(*found, ranges_);
    sums.push_back(found);
    return found->loop == Stmt::Loop::Sequential && collectSums(found->body, sums);
  }

  // Whether each iteration of all loops writes to places of its own, and none reads another's.
  bool anyOrder(const Nest& nest) const {
    const TileBody& body = nest.body;
    if (!body.plain || !body.carried.empty()) return false;
    const bool elements = std::all_of(nest.loops.begin(), nest.loops.end(),
                                      [](const Stmt* loop) { return loop->elements; });
    for (size_t i = 0; i < body.writes.size(); ++i) {
      const Stmt& write = *body.writes[i];
      if (elements && write.kind == Stmt::Kind::Store &&
          bufferOf(write).kind == Buffer::Kind::Arena)
        continue;
      const bool alone =
          std::none_of(body.writes.begin(), body.writes.end(), [&](const Stmt* other) {
            return other != &write && mayOverlap(program_, other->buffer, write.buffer);
          });
      if (!alone || body.writeInLoop[i] || !isOneToOne(write.index, nest)) return false;
      for (BufferId read : body.reads)
        if (mayOverlap(program_, read, write.buffer)) return false;
    }
    return true;
  }

  // Each step is longer than all shorter ones together reach.
  static bool isOneToOne(const Expr& index, const Nest& nest) {
    const auto linear = linearIn(
        index, [&](VarId var) { return nest.body.defined.count(var) != 0 || isLoop(nest, var); });
    if (!linear) return false;
    std::vector<std::pair<int64_t, int64_t>> steps;
    for (const Stmt* loop : nest.loops) {
      const auto found = linear->coefficients.find(loop->var);
      const int64_t step = found == linear->coefficients.end() ? 0 : found->second;
      if (*tripCount(*loop) > 1) steps.emplace_back(std::abs(step), *tripCount(*loop) - 1);
    }
    for (const auto& [var, step] : linear->coefficients)
      if (step != 0 && !isLoop(nest, var)) return false;
    std::sort(steps.begin(), steps.end());
    int64_t reach = 0;
    for (const auto& [step, times] : steps) {
      if (step <= reach) return false;
      reach += step * times;
    }
    return true;
  }

  static bool isLoop(const Nest& nest, VarId var) {
    return std::any_of(nest.loops.begin(), nest.loops.end(),
                       [&](const Stmt* loop) { return loop->var == var; });
  }

  std::optional<TileNest> modelOf(const Nest& nest, const Stmt& lanes) const {
    TileNest model;
    const int64_t block = lanesOf(inLanes_, tripCount(lanes).value_or(0));
    model.sums = static_cast<int64_t>(nest.body.accumulators.size());
    model.mostSums = mostAccumulators(inLanes_, block);
    model.vectors = registersOf(inLanes_, block);
    model.lanes = block;
    model.registers = inLanes_.vectorRegisters;
    std::vector<VarId> variables;
    for (const Stmt* loop : nest.loops) {
      bool jams = sharesAndUses(nest.body, loop->var);
      for (const Stmt* sum : nest.sums)
        jams &= !mentions(sum->lo, loop->var) && !mentions(sum->hi, loop->var);
      model.jams.push_back(jams);
      model.trips.push_back(*tripCount(*loop));
      variables.push_back(loop->var);
    }
    Ranges middles;
    for (const Stmt* loop : nest.loops) middleTrip(*loop, middles);
    for (const Stmt* sum : nest.sums) {
      model.sumTrips.push_back(
          std::max<int64_t>(1, middleTrip(*sum, middles).value_or(kUnknownExtent)));
      variables.push_back(sum->var);
    }
    for (const TileBody::Load& inner : nest.body.innerLoads) {
      const auto load = loadOf(inner, nest, lanes, variables);
      if (!load) return std::nullopt;
      const bool before =
          std::any_of(nest.body.innerLoads.data(), &inner, [&](const TileBody::Load& other) {
            return other.buffer == inner.buffer && sameExpr(other.index, inner.index);
          });
      if (!before) model.loads.push_back(*load);
    }
    const bool any = contains(model.jams, true);
    return any && model.sums <= model.mostSums ? std::optional(model) : std::nullopt;
  }

  // None where lanes gather it, or what moves it is not known.
  std::optional<TileLoad> loadOf(const TileBody::Load& inner, const Nest& nest, const Stmt& lanes,
                                 const std::vector<VarId>& variables) const {
    const auto linear = linearIn(inner.index, [&](VarId var) {
      return var == lanes.var || nest.body.defined.count(var) != 0 || isLoop(nest, var);
    });
    if (!linear) return std::nullopt;
    TileLoad load;
    load.lanes = program_.buffers[static_cast<size_t>(inner.buffer)].kind == Buffer::Kind::Private;
    load.steps.resize(variables.size());
    for (const auto& [var, step] : linear->coefficients) {
      if (step == 0) continue;
      const auto found = std::find(variables.begin(), variables.end(), var);
      if (found != variables.end())
        load.steps[static_cast<size_t>(found - variables.begin())] = step;
      else if (var == lanes.var && step == 1)
        load.lanes = true;
      else
        return std::nullopt;
    }
    return load;
  }

  Program& program_;
  const TileOptions& options_;
  TileOptions inLanes_;  // of the Lanes loop at hand
  Ranges ranges_;
};

}  // namespace

int64_t mostAccumulators(const TileOptions& options, int64_t lanes) {
  const int64_t registers = options.vectorRegisters - options.vectorRegisters / 4;
  return std::max<int64_t>(1, registers / registersOf(options, lanesOf(options, lanes)));
}

Program tileContractions(const Program& program, const TileOptions& options) {
  Program tiled = copyProgram(program);
  Tiler(tiled, options).run();
  return tiled;
}

}  // namespace rlc::cpu
