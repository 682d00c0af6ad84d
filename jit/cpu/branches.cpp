#include "jit/cpu/branches.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/loops/effects.h"
#include "jit/cpu/blocks.h"
#include "jit/cpu/division.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kMostLanes = 1024;
constexpr double kLeastOfLane =
    3e4;  // operations of a part: weights that a core does not have by itself
constexpr double kMostOfPart = 1e12;    // of a part, for all lanes
constexpr int64_t kMostKept = 4 << 20;  // bytes that loops hand to each other
constexpr size_t kMostLoops = 16;

// Of a group of statements: those that give one local its value stay together.
struct Group {
  Block statements;
  loops::Effects effects;
  double operations = 0.0;
  bool checks = false;
};

class Separator {
 public:
  explicit Separator(Program& program) : program_(program) {}

  size_t visit(Block& block, size_t at, const LaneBlocks& lanes) {
    Block loops = separate(*block[at], lanes);
    return loops.empty() ? at : putInPlace(block, at, std::move(loops));
  }

 private:
  Block separate(Stmt& blocks, const LaneBlocks& lanes) {
    if (lanes.count > kMostLanes || !mayBeApart(*blocks.body[0])) return {};
    blocks_ = &blocks;
    lanes_ = lanes;
    takeGroups(blocks.body[0]->body);
    const std::vector<Indices> parts = partsOf();
    if (parts.size() < 2 || parts.size() > kMostLoops || !findKept(parts)) {
      Block& body = blocks.body[0]->body;
      for (Group& group : groups_) append(body, std::move(group.statements));
      return {};
    }
    for (const auto& [id, elements] : keptBuffers_) {
      Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
      buffer.kind = Buffer::Kind::Scratch;
      buffer.elements = elements * blockCount() * lanes_.length;
    }
    Block loops;
    for (size_t part = 0; part < parts.size(); ++part) loops.push_back(loopOf(parts[part]));
    loops.front()->root = blocks.root;
    return loops;
  }

  // What leaves a loop, or calls, has its place.
  static bool mayBeApart(const Stmt& lanes) {
    bool may = true;
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      may &= stmt.kind != Stmt::Kind::Exit && stmt.kind != Stmt::Kind::Emit &&
             stmt.kind != Stmt::Kind::Call;
    });
    return may;
  }

  // ---- groups of statements ---------------------------------------------------------------------

  void takeGroups(Block& body) {
    groups_.clear();
    std::vector<loops::Effects> effects;
    for (const StmtPtr& stmt : body) effects.push_back(loops::effectsOf(*stmt));
    for (size_t begin = 0, end = 0; begin < body.size(); begin = end) {
      end = begin + 1;
      for (size_t at = begin; at < end; ++at)
        if (body[at]->kind == Stmt::Kind::Declare)
          for (size_t later = body.size(); later-- > end;)
            if (effects[later].binds.contains(body[at]->var)) end = later + 1;
      Group group;
      for (size_t at = begin; at < end; ++at) {
        include(group.effects, effects[at]);
        group.operations += operationsIn(*body[at]);
        group.statements.push_back(std::move(body[at]));
      }
      forEachStmt(group.statements,
                  [&](const Stmt& stmt) { group.checks |= stmt.kind == Stmt::Kind::Check; });
      groups_.push_back(std::move(group));
    }
    body.clear();
  }

  // ---- parts ------------------------------------------------------------------------------------

  std::vector<Indices> partsOf() const {
    std::vector<Indices> waits(groups_.size());
    std::vector<double> operations;
    std::vector<bool> heavy;
    for (size_t later = 0; later < groups_.size(); ++later) {
      for (size_t earlier = 0; earlier < later; ++earlier)
        if (!commute(groups_[earlier].effects, groups_[later].effects))
          waits[later].push_back(earlier);
      operations.push_back(groups_[later].operations * static_cast<double>(lanes_.count));
      heavy.push_back(groups_[later].operations >= kLeastOfLane);
    }
    const Division division(std::move(waits), std::move(operations), std::move(heavy), kMostOfPart);
    Indices all(groups_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<Indices> parts;
    divide(division, all, parts);
    const auto mayFail = [&](const Indices& part) {
      return std::any_of(part.begin(), part.end(), [&](size_t i) { return groups_[i].checks; });
    };
    // Which fault is told must not change.
    if (!parts.empty() && std::any_of(parts.begin() + 1, parts.end(), mayFail)) return {};
    return parts;
  }

  static void divide(const Division& division, const Indices& list, std::vector<Indices>& parts) {
    if (list.empty()) return;
    const auto sides = division.best(list);
    if (!sides) {
      parts.push_back(list);
      return;
    }
    divide(division, sides->before, parts);
    parts.push_back(sides->first);
    parts.push_back(sides->second);
    divide(division, sides->behind, parts);
  }

  bool commute(const loops::Effects& a, const loops::Effects& b) const {
    const auto touch = [&](const std::set<BufferId>& x, const std::set<BufferId>& y) {
      return std::any_of(x.begin(), x.end(), [&](BufferId one) {
        return std::any_of(y.begin(), y.end(),
                           [&](BufferId other) { return mayOverlap(program_, one, other); });
      });
    };
    return loops::commute(a, b) && !touch(a.writes, b.reads) && !touch(a.writes, b.writes) &&
           !touch(a.reads, b.writes);
  }

  // ---- what is handed on ------------------------------------------------------------------------

  // The locals and the arrays of a lane that several parts have; false where they are too many, or
  // something outside has them, too.
  bool findKept(const std::vector<Indices>& parts) {
    keptLocals_.clear();
    keptBuffers_.clear();
    std::map<VarId, DType> declared;
    std::map<VarId, std::set<size_t>> partsOfLocal;
    std::map<BufferId, std::set<size_t>> partsOfBuffer;
    for (size_t part = 0; part < parts.size(); ++part)
      for (size_t item : parts[part]) {
        const Group& group = groups_[item];
        for (const StmtPtr& stmt : group.statements)
          if (stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare)
            declared[stmt->var] = stmt->type;
        for (const auto* locals : {&group.effects.uses, &group.effects.binds})
          for (VarId local : *locals) partsOfLocal[local].insert(part);
        for (const auto* buffers : {&group.effects.reads, &group.effects.writes})
          for (BufferId id : *buffers)
            if (program_.buffers[static_cast<size_t>(id)].kind == Buffer::Kind::Private)
              partsOfBuffer[id].insert(part);
      }
    int64_t bytes = 0;
    const auto count = [&](DType type, int64_t elements) {
      bytes += static_cast<int64_t>(byteSize(type)) * elements * blockCount() * lanes_.length;
    };
    std::erase_if(declared,
                  [&](const auto& local) { return partsOfLocal[local.first].size() < 2; });
    for (const auto& [local, type] : declared) count(type, 1);
    const std::set<BufferId> outside = usedOutside();
    for (const auto& [id, users] : partsOfBuffer) {
      if (users.size() < 2) continue;
      if (outside.contains(id)) return false;
      const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
      keptBuffers_[id] = buffer.elements;
      count(buffer.type, buffer.elements);
    }
    if (bytes > kMostKept) return false;
    for (const auto& [local, type] : declared) {
      Buffer buffer;
      buffer.name = "handed on";
      buffer.kind = Buffer::Kind::Scratch;
      buffer.type = type;
      buffer.elements = blockCount() * lanes_.length;
      keptLocals_[local] = {static_cast<BufferId>(program_.buffers.size()), type};
      program_.buffers.push_back(std::move(buffer));
    }
    return true;
  }

  // Buffers that other statements than those of the groups have, which are not in the program now.
  std::set<BufferId> usedOutside() const {
    loops::Effects effects;
    for (const StmtPtr& stmt : program_.body) include(effects, loops::effectsOf(*stmt));
    effects.reads.merge(effects.writes);
    return std::move(effects.reads);
  }

  int64_t blockCount() const { return tripCount(*blocks_).value(); }

  // Where a lane's element lies: a block's lanes side by side, one element behind the other.
  Expr placeOf(int64_t elements, const Expr& index, const Expr& block, const Expr& lane) const {
    const Expr first = block * loops::index(lanes_.length) +
                       loops::index(lanes_.first - *constantOf(blocks_->lo) * lanes_.length);
    return (block - blocks_->lo) * loops::index(elements * lanes_.length) +
           index * loops::index(lanes_.length) + (lane - first);
  }

  // ---- loops ------------------------------------------------------------------------------------

  StmtPtr loopOf(const Indices& part) {
    const Stmt& lanes = *blocks_->body[0];
    const VarId block = program_.variables++, lane = program_.variables++;
    const Expr blockNow = loops::variable(block, DType::I64),
               laneNow = loops::variable(lane, DType::I64);
    Renaming renaming;
    renaming.replace(blocks_->var, blockNow);
    renaming.replace(lanes.var, laneNow);
    for (const auto& [id, elements] : keptBuffers_)
      renaming.moveElements(id, [=, this, count = elements](const Expr& index) {
        return placeOf(count, index, blockNow, laneNow);
      });
    StmtPtr loop = copyHead(*blocks_, renaming), inner = copyHead(lanes, renaming);
    loop->var = block;
    loop->root = -1;
    inner->var = lane;
    loops::Effects effects;
    for (size_t item : part) include(effects, groups_[item].effects);
    const Expr place = placeOf(1, loops::index(0), blockNow, laneNow);
    for (const auto& [local, kept] : keptLocals_) {
      if (!effects.uses.contains(local) || effects.binds.contains(local)) continue;
      StmtPtr let = makeStmt(lanes, Stmt::Kind::Let);
      let->var = program_.variables++;
      let->type = kept.type;
      let->value = loops::load(kept.buffer, kept.type, place);
      renaming.replace(local, loops::variable(let->var, kept.type));
      inner->body.push_back(std::move(let));
    }
    for (size_t item : part)
      for (const StmtPtr& stmt : groups_[item].statements)
        inner->body.push_back(copyAlike(*stmt, renaming));
    for (const auto& [local, kept] : keptLocals_) {
      if (!effects.binds.contains(local)) continue;
      StmtPtr store = makeStmt(lanes, Stmt::Kind::Store);
      store->buffer = kept.buffer;
      store->index = place;
      store->value = loops::variable(local, kept.type);
      inner->body.push_back(std::move(store));
    }
    for (Stmt* each : {loop.get(), inner.get()})
      std::erase_if(each->reductions, [&](const Stmt::Reduction& reduction) {
        return reduction.buffer >= 0 ? !effects.writes.contains(reduction.buffer)
                                     : !effects.binds.contains(reduction.local);
      });
    loop->body.push_back(std::move(inner));
    return loop;
  }

  struct Kept {
    BufferId buffer;
    DType type;
  };

  Program& program_;
  const Stmt* blocks_ = nullptr;
  LaneBlocks lanes_;
  std::vector<Group> groups_;
  std::map<VarId, Kept> keptLocals_;
  std::map<BufferId, int64_t> keptBuffers_;  // elements of a lane
};

}  // namespace

void separateBranches(Program& program) {
  Separator separator(program);
  forEachBatch(program.body, [&](Block& block, size_t at, const LaneBlocks& lanes) {
    return separator.visit(block, at, lanes);
  });
}

}  // namespace rlc::cpu
