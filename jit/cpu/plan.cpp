#include "jit/cpu/plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "jit/cpu/blocks.h"
#include "jit/cpu/join_blocks.h"
#include "jit/cpu/lane_products.h"
#include "jit/cpu/polls.h"
#include "jit/cpu/sections.h"
#include "jit/cpu/shared_reads.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

int64_t alignUp(int64_t bytes) { return (bytes + 63) / 64 * 64; }

bool isVarying(const Plan& plan, const Program& program, const Expr& e) {
  bool varying = false;
  forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Variable)
      varying |= plan.varying[static_cast<size_t>(node.var)];
    if (node.kind == ExprNode::Kind::Load &&
        program.buffers[static_cast<size_t>(node.buffer)].kind == Buffer::Kind::Private)
      varying |= plan.privates[static_cast<size_t>(node.buffer)].owner == PrivatePlan::Owner::Lane;
  });
  return varying;
}

namespace {

constexpr int64_t kWorthChunks = 20000;  // operations
constexpr int64_t kCopiesLimit = int64_t{64}
                                 << 20;        // bytes of partial results of one parallel loop
constexpr int64_t kExpandedLimit = 128 << 10;  // bytes of vectors of partial results of one buffer
constexpr int kSeparateTailLimit = 60;         // statements that are worth emitting twice
constexpr int kSmallBlock = 1;                 // the same where masks are cheap

class Planner {
 public:
  Planner(const Program& program, const PlanOptions& options)
      : program_(program), options_(options) {
    plan_.privates.resize(program.buffers.size());
    plan_.varying.resize(static_cast<size_t>(program.variables));
    plan_.types.resize(static_cast<size_t>(program.variables), DType::I64);
    homes_.resize(program.buffers.size());
  }

  Plan run() {
    plan_.timeRegions = options_.timeRegions;
    forEachStmt(program_.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare)
        plan_.types[static_cast<size_t>(stmt.var)] = stmt.type;
    });
    visit(program_.body, {});
    placePrivates();
    for (const Stmt* loop : lanesLoops_) planLanes(*loop);
    plan_.polls = placePolls(program_, plan_);
    return std::move(plan_);
  }

 private:
  // The loops around a statement.
  struct Place {
    const Stmt* lanes = nullptr;  // the outermost Lanes loop of several lanes
    const Stmt* single =
        nullptr;  // without one: the innermost Lanes loop that runs one lane after the other
    const Stmt* parallel = nullptr;
    const Stmt* sequential = nullptr;  // the innermost, outside of parallel loops
    bool inParallel = false;           // also in one that a single thread runs
  };

  // The places of a buffer's uses.
  struct Home {
    std::set<const Stmt*> lanes, singles, parallel;  // parallel: null for none
    bool outside = false;                            // of all Lanes loops
    bool outsideParallel = false;                    // of all Parallel loops
  };

  static bool isLoop(const Stmt& stmt, Stmt::Loop loop) {
    return stmt.kind == Stmt::Kind::For && stmt.loop == loop;
  }

  void visit(const Block& block, const Place& place) {
    for (const auto& stmt : block) {
      noteUses(*stmt, place);
      Place inner = place;
      if (isLoop(*stmt, Stmt::Loop::Lanes) && place.lanes == nullptr) {
        plan_.lanes[stmt.get()].width = widthOf(*stmt);
        if (plan_.lanes[stmt.get()].width > 1) {
          inner.lanes = stmt.get();
          around_[stmt.get()] = std::exchange(inner.single, nullptr);
        } else {
          inner.single = stmt.get();
        }
        lanesLoops_.push_back(stmt.get());
      }
      if (isLoop(*stmt, Stmt::Loop::Parallel) && place.parallel == nullptr &&
          place.lanes == nullptr) {
        planParallel(*stmt, place.sequential);
        if (plan_.parallel[stmt.get()].chunks > 1) inner.parallel = stmt.get();
      }
      inner.inParallel |= isLoop(*stmt, Stmt::Loop::Parallel);
      if (isLoop(*stmt, Stmt::Loop::Sequential)) inner.sequential = stmt.get();
      visit(stmt->body, inner);
      visit(stmt->otherwise, place);
    }
  }

  void noteUses(const Stmt& stmt, const Place& place) {
    const auto note = [&](BufferId buffer) {
      if (buffer < 0) return;
      Home& home = homes_[static_cast<size_t>(buffer)];
      if (place.lanes != nullptr)
        home.lanes.insert(place.lanes);
      else if (place.single != nullptr)
        home.singles.insert(place.single);
      else
        home.outside = true;
      home.parallel.insert(place.parallel);
      home.outsideParallel |= !place.inParallel;
    };
    note(stmt.buffer);
    for (const auto& other : stmt.places) note(other.buffer);
    for (const auto& reduction : stmt.reductions) note(reduction.buffer);
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) { note(node.buffer); });
    });
  }

  int widthOf(const Stmt& loop) const {
    if (options_.forceWidth) return options_.width;
    int width = options_.width;
    if (!usesNarrow(loop)) width = std::max(1, width / 2);
    // A second register for each value buys nothing without a loop inside, where neighbouring
    // blocks overlap by themselves, nor where the lanes' loops differ in length: they take as long
    // as the longest, and their bounds are 64 bits wide. Nor for products of lanes' own values.
    bool loops = false, uneven = false;
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      if (stmt.kind != Stmt::Kind::For) return;
      loops = true;
      uneven |= mentions(stmt.lo, loop.var) || mentions(stmt.hi, loop.var);
    });
    if (!loops || uneven || multipliesLanes(program_, loop)) width = std::max(4, width / 2);
    if (loop.wide ||
        (options_.joinedBlocks && width == options_.width &&
         tripCount(loop).value_or(1) % (2 * width) == 0 && waitsForItself(program_, loop)))
      width *= 2;
    if (const auto trip = tripCount(loop))
      while (width > 1 && width / 2 >= *trip) width /= 2;
    return width < 4 ? 1 : width;
  }

  // Whether anything in the loop computes in 32 bits or less; otherwise half as many lanes fill the
  // registers.
  bool usesNarrow(const Stmt& loop) const {
    bool narrow = false;
    const auto consider = [&](DType type) {
      narrow |= type == DType::F32 || type == DType::BF16 || type == DType::I32;
    };
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      forEachExpr(stmt, [&](const Expr& e) {
        forEachNode(e, [&](const ExprNode& node) { consider(node.type); });
      });
    });
    return narrow;
  }

  // ---- parallel loops ---------------------------------------------------------------------------

  void planParallel(const Stmt& loop, const Stmt* around) {
    ParallelPlan& plan = plan_.parallel[&loop];
    if (!loop.sharedAsLast && !loop.besideLast) last_ = nullptr;
    const auto trip = tripCount(loop);
    const double total = operationsOf(loop, trip.value_or(1024));
    plan.operations = static_cast<int64_t>(std::min(total, 1e15));
    if (trip && total < static_cast<double>(kWorthChunks)) return;
    int64_t bytes = 0, elements = 0;
    for (const auto& reduction : loop.reductions) {
      bytes += alignUp(reductionBytes(reduction));
      elements += reduction.buffer >= 0
                      ? program_.buffers[static_cast<size_t>(reduction.buffer)].elements
                      : 1;
    }
    int64_t chunks = std::min(options_.maximumChunks, trip.value_or(options_.maximumChunks));
    if (bytes > 0) {
      // Combining the copies should cost little beside filling them, and they should fit.
      const auto worth =
          static_cast<int64_t>(std::min(1e6, total / 16.0 / static_cast<double>(elements)));
      chunks = std::min({chunks, int64_t{32}, std::max<int64_t>(2, worth),
                         std::max<int64_t>(1, kCopiesLimit / bytes)});
    }
    plan.chunks = std::max<int64_t>(1, chunks);
    if (plan.chunks == 1) return;
    for (size_t i = 0; i < loop.reductions.size(); ++i) {
      const int64_t stride = alignUp(reductionBytes(loop.reductions[i]));
      plan.copies.push_back({static_cast<int>(i), plan_.scratchBytes, stride});
      plan_.scratchBytes += stride * plan.chunks;
    }
    plan.captures = capturesOf(loop);
    planThreads(loop, around, plan);
  }

  void planThreads(const Stmt& loop, const Stmt* around, ParallelPlan& plan) {
    if (isSections(loop)) return;  // which share nothing
    const SharedReads shared = sharedReads(program_, loop, around);
    if (shared.fit()) plan.fetched = shared.buffers;
    const bool alone = loop.sharedAsLast && last_ != nullptr
                           ? last_->operations == 0
                           : plan.operations < shared.worthThreads();
    if (alone) plan.operations = 0;
    if (loop.besideLast && last_ != nullptr) {  // a thread reads what one of them reads, not both
      plan.operations = last_->operations = plan.operations + last_->operations;
      plan.fetched.clear();
      last_->fetched.clear();
    }
    last_ = &plan;
  }

  int64_t reductionBytes(const Stmt::Reduction& reduction) const {
    if (reduction.buffer < 0) return 64;
    const Buffer& buffer = program_.buffers[static_cast<size_t>(reduction.buffer)];
    return bytesOf(buffer);
  }

  // The variables that the body reads and that are defined outside it.
  std::vector<VarId> capturesOf(const Stmt& loop) const {
    std::set<VarId> used, defined{loop.var};
    const auto use = [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Variable) used.insert(node.var);
      });
    };
    use(loop.lo);
    use(loop.hi);
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      forEachExpr(stmt, use);
      if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Let ||
          stmt.kind == Stmt::Kind::Declare)
        defined.insert(stmt.var);
    });
    for (const auto& reduction : loop.reductions) defined.insert(reduction.local);
    std::vector<VarId> captures;
    for (VarId var : used)
      if (defined.count(var) == 0) captures.push_back(var);
    return captures;
  }

  // ---- private buffers --------------------------------------------------------------------------

  // A loop over several lanes needs an element for each of them. Pieces of one loop differ in width
  // (split_loops.h), so some of a buffer's loops may run a lane at a time: they use the first
  // lane's. Not so a loop that has the wide one inside: its lanes share.
  bool isPerLane(const Home& home) const {
    return !home.lanes.empty() && !home.outside &&
           std::none_of(home.lanes.begin(), home.lanes.end(),
                        [&](const Stmt* loop) { return home.singles.contains(around_.at(loop)); });
  }

  // What an iteration works with, in copies of one loop (split_loops.h): threads must not share it,
  // and nothing goes from one loop to another.
  static bool isOfIteration(const Buffer& buffer, const Home& home) {
    return buffer.kind == Buffer::Kind::Private && (!home.outside || !home.outsideParallel);
  }

  void placePrivates() {
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const Buffer& buffer = program_.buffers[i];
      const Home& home = homes_[i];
      PrivatePlan& plan = plan_.privates[i];
      const bool shared = buffer.kind == Buffer::Kind::Scratch;
      if (!isPlaced(buffer) || home.parallel.empty()) continue;
      if (buffer.kind == Buffer::Kind::Private && isPerLane(home)) {
        plan.owner = PrivatePlan::Owner::Lane;
        for (const Stmt* loop : home.lanes)
          plan.width = std::max(plan.width, plan_.lanes[loop].width);
      } else if (!shared && (home.parallel.size() == 1 || isOfIteration(buffer, home))) {
        plan.owner = PrivatePlan::Owner::Function;
      } else {
        plan.owner = PrivatePlan::Owner::Program;
        plan.offset = plan_.scratchBytes;
        plan_.scratchBytes += alignUp(bytesOf(buffer));
      }
    }
  }

  // ---- lanes ------------------------------------------------------------------------------------

  void planLanes(const Stmt& loop) {
    LanesPlan& plan = plan_.lanes[&loop];
    if (plan.width == 1) return;
    plan_.varying[static_cast<size_t>(loop.var)] = true;
    for (const auto& reduction : loop.reductions)
      if (reduction.local >= 0) plan_.varying[static_cast<size_t>(reduction.local)] = true;
    do {
      changed_ = false;
      markVarying(loop.body, false);
    } while (changed_);

    int statements = 0;
    forEachStmt(loop.body, [&](const Stmt&) { ++statements; });
    const auto trip = tripCount(loop);
    using Tail = LanesPlan::Tail;
    if (trip && *trip % plan.width == 0)
      plan.tail = Tail::None;
    else if (statements > (options_.cheapMasks ? kSmallBlock : kSeparateTailLimit) ||
             (trip && *trip < plan.width))
      plan.tail = Tail::MaskedBlocks;
    else
      plan.tail = Tail::Separate;
    planSums(loop, plan, trip && *trip <= plan.width);
  }

  void mark(VarId var, bool varying) {
    if (!varying || plan_.varying[static_cast<size_t>(var)]) return;
    plan_.varying[static_cast<size_t>(var)] = true;
    changed_ = true;
  }

  // `masked`: some lanes may be inactive for another reason than the loop's end.
  void markVarying(const Block& block, bool masked) {
    for (const auto& stmt : block) {
      bool inner = masked;
      switch (stmt->kind) {
        case Stmt::Kind::Let:
          mark(stmt->var, isVarying(plan_, program_, stmt->value));
          break;
        case Stmt::Kind::Declare:
        case Stmt::Kind::Assign:
          mark(stmt->var, (masked && stmt->kind == Stmt::Kind::Assign) ||
                              isVarying(plan_, program_, stmt->value));
          break;
        case Stmt::Kind::If:
          inner |= isVarying(plan_, program_, stmt->value);
          break;
        case Stmt::Kind::For: {
          const bool bounds =
              isVarying(plan_, program_, stmt->lo) || isVarying(plan_, program_, stmt->hi);
          mark(stmt->var, bounds);
          loopOf_[stmt->var] = stmt.get();
          inner |= bounds || plan_.leftByLane.count(stmt.get()) != 0;
          break;
        }
        case Stmt::Kind::Exit:
          if ((masked || isVarying(plan_, program_, stmt->value)) && loopOf_.count(stmt->var) != 0)
            changed_ |= plan_.leftByLane.insert(loopOf_[stmt->var]).second;
          break;
        case Stmt::Kind::Store:
        case Stmt::Kind::Accumulate:
        case Stmt::Kind::Check:
        case Stmt::Kind::Emit:
        case Stmt::Kind::Call:
          break;
      }
      markVarying(stmt->body, inner);
      markVarying(stmt->otherwise, inner);
    }
  }

  void planSums(const Stmt& loop, LanesPlan& plan, bool oneBlock) {
    std::set<VarId> inside{loop.var};
    std::set<BufferId> read;
    std::unordered_map<BufferId, std::vector<const Stmt*>> accumulates;
    std::unordered_map<const Stmt*, int64_t> executions;  // of one block
    countExecutions(loop.body, 1, executions);
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Let ||
          stmt.kind == Stmt::Kind::Declare)
        inside.insert(stmt.var);
      forEachExpr(stmt, [&](const Expr& e) {
        forEachNode(e, [&](const ExprNode& node) {
          if (node.buffer >= 0) read.insert(node.buffer);
        });
      });
      if (stmt.kind == Stmt::Kind::Store) read.insert(stmt.buffer);
      for (const auto& place : stmt.places) read.insert(place.buffer);
      if (stmt.kind == Stmt::Kind::Accumulate) accumulates[stmt.buffer].push_back(&stmt);
    });
    findNests(loop, plan);
    const auto invariant = [&](const Expr& e) {
      bool ok = true;
      forEachNode(e, [&](const ExprNode& node) {
        ok &= node.buffer < 0 &&
              (node.kind != ExprNode::Kind::Variable || inside.count(node.var) == 0);
      });
      return ok;
    };
    for (const auto& [buffer, stmts] : accumulates) {
      bool shared = program_.buffers[static_cast<size_t>(buffer)].kind == Buffer::Kind::Arena;
      bool fixed = true, oneCombine = true;
      for (const Stmt* stmt : stmts) {
        shared &= !isVarying(plan_, program_, stmt->index);
        fixed &= invariant(stmt->index);
        oneCombine &= stmt->combine == stmts[0]->combine;
      }
      bool untouched = oneCombine && !oneBlock;
      for (BufferId other : read) untouched &= !mayOverlap(program_, other, buffer);
      for (const auto& [other, ignored] : accumulates)
        untouched &= other == buffer || !mayOverlap(program_, other, buffer);
      const Buffer& b = program_.buffers[static_cast<size_t>(buffer)];
      int64_t touched = 0;
      for (const Stmt* stmt : stmts) touched += executions[stmt];
      const bool dense =
          touched * 2 >= b.elements;  // setting up and adding up the partial results must pay
      const int64_t bytes = b.elements * plan.width * static_cast<int64_t>(byteSize(b.type));
      for (const Stmt* stmt : stmts) {
        LaneSum sum = LaneSum::Horizontal;
        if (plan_.privates[static_cast<size_t>(buffer)].owner == PrivatePlan::Owner::Lane ||
            isVarying(plan_, program_, stmt->index))
          sum = LaneSum::Direct;
        else if (shared && untouched && fixed && stmts.size() <= 8)
          sum = LaneSum::Register;
        else if (shared && untouched && dense && bytes <= kExpandedLimit)
          sum = LaneSum::Expanded;
        plan.sums.emplace(stmt, sum);  // where no nest around it takes it
      }
    }
  }

  // Sums that the loops around them take up together.
  void findNests(const Stmt& loop, LanesPlan& plan) {
    const int64_t length = std::min(plan.width, options_.vectorBytes / 4);
    if (length < 4) return;
    const auto varies = [&](const Expr& e) { return isVarying(plan_, program_, e); };
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      if (stmt.kind != Stmt::Kind::For) return;
      if (auto product = matchOuterProduct(program_, stmt, varies)) {
        auto rows = asRowSums(*product, length);
        plan.sums[product->accumulate] = rows ? LaneSum::Rows : LaneSum::Outer;
        if (rows)
          plan_.rowSums.emplace(&stmt, std::move(*rows));
        else
          plan_.outer.emplace(&stmt, std::move(*product));
      } else if (auto rows = matchRowSums(program_, stmt, length, varies);
                 rows && plan.sums.emplace(rows->accumulate, LaneSum::Rows).second) {
        plan_.rowSums.emplace(&stmt, std::move(*rows));
      }
    });
  }

  static void countExecutions(const Block& block, int64_t times,
                              std::unordered_map<const Stmt*, int64_t>& counts) {
    for (const auto& stmt : block) {
      counts[stmt.get()] = times;
      const int64_t trips = stmt->kind == Stmt::Kind::For
                                ? std::min<int64_t>(tripCount(*stmt).value_or(1), 1 << 20)
                                : 1;
      const int64_t inner = std::min<int64_t>(times * trips, int64_t{1} << 40);
      countExecutions(stmt->body, inner, counts);
      countExecutions(stmt->otherwise, times, counts);
    }
  }

  const Program& program_;
  const PlanOptions& options_;
  Plan plan_;
  std::vector<Home> homes_;
  std::unordered_map<const Stmt*, const Stmt*>
      around_;  // the single-lane loop around a loop of several lanes; null: none
  std::vector<const Stmt*> lanesLoops_;
  std::unordered_map<VarId, const Stmt*> loopOf_;  // sequential loops inside the Lanes loop
  bool changed_ = false;
  ParallelPlan* last_ = nullptr;  // of the parallel loop before; null: no threads are asked
};

}  // namespace

Plan makePlan(const Program& program, const PlanOptions& options) {
  return Planner(program, options).run();
}

}  // namespace rlc::cpu
