#include "jit/cpu/items.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "compiler/loops/effects.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

class Taking {
 public:
  Taking(Program& program, const Ranges& around) : program_(program), around_(around) {}

  Items take(Block& block) {
    takeFrom(block, nullptr);
    return std::move(items_);
  }

 private:
  void takeFrom(Block& block, const Expr& guard) {
    keepLocals(block);
    const std::vector<loops::Effects> effects = effectsOfEach(block);
    for (size_t begin = 0, end = 0; begin < block.size(); begin = end) {
      end = endOfItem(block, effects, begin);
      if (!guard && end == begin + 1 && isSettledGuard(*block[begin])) {
        takeFrom(block[begin]->body, block[begin]->value);
        continue;
      }
      Item item;
      item.guard = guard;
      for (size_t at = begin; at < end; ++at) {
        Ranges ranges = around_;
        // What it guards reads what it reads, and writes nothing.
        item.barrier |= block[at]->kind == Stmt::Kind::Check;
        note(*block[at], ranges, item);
        item.statements.push_back(std::move(block[at]));
      }
      item.barrier |= bindsOutside(item);
      items_.push_back(std::move(item));
    }
  }

  bool isSettledGuard(const Stmt& stmt) const {
    return isGuard(stmt) && isSaidBy(stmt.value, [&](VarId var) { return around_.contains(var); });
  }

  // ---- locals ----

  static std::vector<loops::Effects> effectsOfEach(const Block& block) {
    std::vector<loops::Effects> effects;
    for (const StmtPtr& stmt : block) effects.push_back(loops::effectsOf(*stmt));
    return effects;
  }

  static bool uses(const loops::Effects& effects, VarId local) {
    return effects.uses.contains(local) || effects.binds.contains(local);
  }

  // Whether a local that is declared elsewhere gets a value.
  static bool bindsOutside(const Item& item) {
    std::set<VarId> declared, bound;
    const auto note = [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare)
        declared.insert(stmt.var);
      if (stmt.kind == Stmt::Kind::Assign) bound.insert(stmt.var);
      for (const Stmt::Reduction& reduction : stmt.reductions)
        if (reduction.local >= 0) bound.insert(reduction.local);
    };
    forEachStmt(item.statements, note);
    return !std::includes(declared.begin(), declared.end(), bound.begin(), bound.end());
  }

  // A number for loops, the factor that all gradients are clipped by, is kept in memory, from which
  // each statement that uses it takes it.
  void keepLocals(Block& block) {
    if (std::none_of(block.begin(), block.end(),
                     [](const StmtPtr& stmt) { return stmt->kind == Stmt::Kind::Let; }))
      return;
    const std::vector<loops::Effects> effects = effectsOfEach(block);
    Block kept;
    for (size_t at = 0; at < block.size(); ++at) {
      const VarId local = block[at]->var;
      const bool let = block[at]->kind == Stmt::Kind::Let;
      Indices users;
      for (size_t later = at + 1; let && later < block.size(); ++later)
        if (uses(effects[later], local)) users.push_back(later);
      const bool loops = std::any_of(users.begin(), users.end(), [&](size_t user) {
        return block[user]->kind == Stmt::Kind::For;
      });
      kept.push_back(std::move(block[at]));
      if (!loops || users.size() < 2) continue;
      const Stmt& original = *kept.back();
      Buffer buffer;
      buffer.name = "kept";
      buffer.kind = Buffer::Kind::Scratch;
      buffer.type = original.type;
      buffer.elements = 1;
      const auto id = static_cast<BufferId>(program_.buffers.size());
      program_.buffers.push_back(std::move(buffer));
      for (size_t user : users) taken_[block[user].get()].push_back({local, original.type, id});
      StmtPtr store = makeStmt(original, Stmt::Kind::Store);
      store->buffer = id;
      store->index = loops::index(0);
      store->value = loops::variable(local, original.type);
      kept.push_back(std::move(store));
    }
    block.clear();
    for (StmtPtr& stmt : kept) takeLocals(block, std::move(stmt));
  }

  void takeLocals(Block& block, StmtPtr stmt) {
    const auto found = taken_.find(stmt.get());
    if (found == taken_.end()) {
      block.push_back(std::move(stmt));
      return;
    }
    Renaming renaming;
    for (const Kept& kept : found->second) {
      StmtPtr let = makeStmt(*stmt, Stmt::Kind::Let);
      let->var = program_.variables++;
      let->type = kept.type;
      let->value = loops::load(kept.buffer, kept.type, loops::index(0));
      renaming.replace(kept.local, loops::variable(let->var, kept.type));
      block.push_back(std::move(let));
    }
    block.push_back(copyAlike(*stmt, renaming));
  }

  // Behind the last statement that uses what those from `begin` on bind.
  static size_t endOfItem(const Block& block, const std::vector<loops::Effects>& effects,
                          size_t begin) {
    size_t end = begin + 1;
    for (size_t at = begin; at < end; ++at) {
      if (!binds(*block[at])) continue;
      for (size_t user = block.size(); user-- > end;)
        if (uses(effects[user], block[at]->var)) end = user + 1;
    }
    return end;
  }

  // ---- effects ----

  void note(const Stmt& stmt, Ranges& ranges, Item& item) {
    if (stmt.kind == Stmt::Kind::For) noteRange(stmt, ranges);
    Ranges inside = ranges;
    if (stmt.kind == Stmt::Kind::If) narrowRanges(stmt.value, inside);
    item.barrier |= stmt.kind == Stmt::Kind::Exit || stmt.kind == Stmt::Kind::Emit ||
                    stmt.kind == Stmt::Kind::Call || stmt.root >= 0;
    item.checks |= stmt.kind == Stmt::Kind::Check;
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Load)
          add(item, item.reads, node.buffer, rangeOf(node.args[0], ranges));
      });
    });
    if (stmt.kind == Stmt::Kind::Store || stmt.kind == Stmt::Kind::Accumulate)
      add(item, item.writes, stmt.buffer, rangeOf(stmt.index, ranges));
    for (const Stmt::Reduction& reduction : stmt.reductions)
      if (reduction.buffer >= 0) add(item, item.writes, reduction.buffer, std::nullopt);
    for (const StmtPtr& inner : stmt.body) note(*inner, inside, item);
    for (const StmtPtr& inner : stmt.otherwise) note(*inner, ranges, item);
  }

  void add(Item& item, std::vector<Bytes>& to, BufferId id,
           std::optional<Interval> elements) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    if (buffer.kind == Buffer::Kind::Constant || buffer.kind == Buffer::Kind::Parameter) return;
    if (buffer.kind == Buffer::Kind::Private || buffer.kind == Buffer::Kind::Thread)
      item.own.insert(id);
    const auto size = static_cast<int64_t>(byteSize(buffer.type));
    const bool arena = buffer.kind == Buffer::Kind::Arena;
    const int64_t from = arena ? buffer.offset : 0;
    Bytes bytes{arena ? -1 : id, from, from + bytesOf(buffer)};
    // Rows of lanes may come to lie in another order (bands.h).
    if (elements && buffer.lanes <= 1 && elements->lo >= 0 && elements->hi < buffer.elements)
      bytes = {bytes.own, from + elements->lo * size, from + (elements->hi + 1) * size};
    const bool known = std::any_of(to.begin(), to.end(), [&](const Bytes& other) {
      return other.own == bytes.own && other.begin <= bytes.begin && other.end >= bytes.end;
    });
    if (!known) to.push_back(bytes);
  }

  struct Kept {
    VarId local;
    DType type;
    BufferId buffer;
  };

  Program& program_;
  const Ranges& around_;
  std::map<const Stmt*, std::vector<Kept>> taken_;  // by the statement that takes them
  Items items_;
};

bool overlap(const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Bytes& x) {
    return std::any_of(b.begin(), b.end(), [&](const Bytes& y) {
      return x.own == y.own && x.begin < y.end && y.begin < x.end;
    });
  });
}

}  // namespace

Indices allOf(const Items& items) {
  Indices all(items.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

Items takeItems(Program& program, Block& block, const Ranges& around) {
  Items items = Taking(program, around).take(block);
  block.clear();
  return items;
}

bool sameGuard(const Item& a, const Item& b) {
  return a.guard == b.guard || (a.guard && b.guard && sameExpr(a.guard, b.guard));
}

void putItems(Block& block, Items& items, const Indices& which) {
  const Item* last = nullptr;
  for (size_t at : which) {
    Item& item = items[at];
    if (item.guard && (last == nullptr || !sameGuard(*last, item))) {
      block.push_back(std::make_unique<Stmt>());
      block.back()->kind = Stmt::Kind::If;
      block.back()->span = item.statements.front()->span;
      block.back()->value = item.guard;
    }
    append(item.guard ? block.back()->body : block, std::move(item.statements));
    last = &item;
  }
}

std::vector<Indices> waitsOf(const Items& items) {
  std::vector<Indices> waits(items.size());
  for (size_t later = 0; later < items.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier) {
      const Item &a = items[earlier], &b = items[later];
      if (a.barrier || b.barrier || overlap(a.writes, b.reads) || overlap(a.writes, b.writes) ||
          overlap(a.reads, b.writes))
        waits[later].push_back(earlier);
    }
  return waits;
}

std::set<size_t> neededBy(const std::vector<Indices>& waits, const Indices& seeds,
                          const std::set<size_t>& list) {
  std::set<size_t> needed(seeds.begin(), seeds.end());
  Indices open = seeds;
  while (!open.empty()) {
    const size_t item = open.back();
    open.pop_back();
    for (size_t earlier : waits[item])
      if (list.contains(earlier) && needed.insert(earlier).second) open.push_back(earlier);
  }
  return needed;
}

}  // namespace rlc::cpu
