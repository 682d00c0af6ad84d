#include "jit/cpu/unit_vectors.h"

#include <algorithm>
#include <map>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/unit_packs.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestTurns = 16;   // of a loop inside the lanes, that repay the packing
constexpr int64_t kFewestOfBlock = 4;  // lanes of a block

// What `e` takes; none where that can't be told.
std::optional<UnitExpr> unitExpr(const Program& program, const Expr& e, VarId unit, VarId sum) {
  UnitExpr result{e, {}, {}};
  std::set<const ExprNode*> seen;
  bool known = true;
  const std::function<void(const Expr&)> split = [&](const Expr& part) {
    if (!seen.insert(part.get()).second || part->kind == ExprNode::Kind::Literal) return;
    if (!mentions(part, unit) && !mentions(part, sum)) {
      result.shared.push_back(part);
    } else if (part->kind == ExprNode::Kind::Load) {
      known &= !mentions(part, sum) &&
               program.buffers[static_cast<size_t>(part->buffer)].kind != Buffer::Kind::Private &&
               linearIn(part->args[0], [&](VarId var) { return var == unit; }).has_value();
      result.loads.push_back(part);
    } else {
      for (const Expr& arg : part->args) split(arg);
    }
  };
  split(e);
  forEachNode(e, [&](const ExprNode& node) { known &= node.kind != ExprNode::Kind::Random; });
  return known ? std::optional(result) : std::nullopt;
}

// The next statement that is no Let; those are noted. None where one has `changing`, whose value
// may be another by the time that the Let is used.
const Stmt* next(const Block& block, size_t& at, Renaming& lets, VarId changing = -1) {
  for (; at < block.size(); ++at) {
    const Stmt& stmt = *block[at];
    if (stmt.kind != Stmt::Kind::Let) {
      ++at;
      return &stmt;
    }
    const Expr value = lets(stmt.value);
    if (mentions(value, changing)) return nullptr;
    lets.replace(stmt.var, value);
  }
  return nullptr;
}

// The loops of the sum, down to its assignment.
bool followSum(const Stmt& outermost, UnitLoop& found, Renaming& lets) {
  const Stmt* stmt = &outermost;
  while (isUpward(*stmt)) {
    for (const Expr& bound : {stmt->lo, stmt->hi})
      if (mentions(bound, found.unit) || lets.touches(bound)) return false;
    found.along.push_back(stmt);
    size_t at = 0;
    const Stmt* const inner = next(stmt->body, at, lets, found.declare->var);
    if (inner == nullptr || at != stmt->body.size()) return false;
    stmt = inner;
  }
  found.assign = stmt;
  return stmt->kind == Stmt::Kind::Assign && stmt->var == found.declare->var;
}

}  // namespace

std::optional<UnitLoop> unitLoop(const Program& program, const Stmt& loop) {
  if (!isUpward(loop) || !constantOf(loop.lo) || !tripCount(loop)) return std::nullopt;
  UnitLoop found;
  found.unit = loop.var;
  Renaming lets;
  size_t at = 0;
  found.declare = next(loop.body, at, lets);
  if (found.declare == nullptr || found.declare->kind != Stmt::Kind::Declare ||
      found.declare->type != DType::F32 || found.declare->value->kind != ExprNode::Kind::Literal)
    return std::nullopt;
  const Stmt* const sums = next(loop.body, at, lets, found.declare->var);
  if (sums == nullptr || sums->kind != Stmt::Kind::For || !followSum(*sums, found, lets))
    return std::nullopt;
  found.store = next(loop.body, at, lets);
  if (found.store == nullptr || at != loop.body.size() || found.store->kind != Stmt::Kind::Store)
    return std::nullopt;
  const VarId sum = found.declare->var;
  const Buffer& target = program.buffers[static_cast<size_t>(found.store->buffer)];
  found.index = lets(found.store->index);
  const auto step = unitExpr(program, lets(found.assign->value), found.unit, sum),
             value = unitExpr(program, lets(found.store->value), found.unit, sum);
  if (!step || !value || target.kind != Buffer::Kind::Private || target.type != DType::F32 ||
      stepOf(found.index, found.unit) != 1 || mentions(found.index, sum))
    return std::nullopt;
  for (const Expr& e : {step->e, value->e}) {
    bool readsTarget = false;
    forEachNode(e,
                [&](const ExprNode& node) { readsTarget |= node.buffer == found.store->buffer; });
    if (readsTarget) return std::nullopt;
  }
  found.step = *step;
  found.value = *value;
  return found;
}

int64_t unitsOfVector(int vectorBytes, int64_t trip) {
  int64_t units = vectorBytes / 4;
  while (units > trip) units /= 2;
  return units;
}

namespace {

class Vectorizer {
 public:
  Vectorizer(Program& program, const TileOptions& options)
      : program_(program), options_(options), packs_(program, Buffer::Kind::Thread) {}

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind != Stmt::Kind::For || stmt.loop != Stmt::Loop::Lanes) {
        visit(stmt.body);
        visit(stmt.otherwise);
        continue;
      }
      if (!enter(stmt)) continue;
      visitInside(stmt.body, 1);
      if (packs_.empty()) continue;
      Block packs = packs_.take();
      packs.front()->root = stmt.root;
      stmt.root = -1;
      for (const StmtPtr& part : packs) part->region = stmt.region;
      packs.push_back(std::move(block[i]));
      i = putInPlace(block, i, std::move(packs));
    }
  }

 private:
  // Whether the lanes are few, and do not leave one by one.
  bool enter(const Stmt& lanes) {
    packs_.take();
    written_.clear();
    inside_.clear();
    varying_ = {lanes.var};
    lanes_ = tripCount(lanes).value_or(0);
    bool together = true;
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      together &= stmt.kind != Stmt::Kind::Exit;
      if (binds(stmt) || stmt.kind == Stmt::Kind::For) inside_.insert(stmt.var);
      if (stmt.buffer >= 0) written_.insert(stmt.buffer);
      for (const Stmt::Place& place : stmt.places) written_.insert(place.buffer);
    });
    inside_.insert(lanes.var);
    return together && lanes_ >= 2 &&
           (options_.forceWidth ? options_.width : lanesOf(options_, lanes_)) >= kFewestOfBlock;
  }

  // `turns`: how often the block runs, as far as that is known.
  void visitInside(Block& block, int64_t turns) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::Declare || (stmt.kind == Stmt::Kind::Let && varies(stmt.value)))
        varying_.insert(stmt.var);
      if (stmt.kind == Stmt::Kind::If && !varies(stmt.value)) {
        ++conditions_;
        visitInside(stmt.body, turns);
        visitInside(stmt.otherwise, turns);
        --conditions_;
      }
      if (stmt.kind != Stmt::Kind::For || varies(stmt.lo) || varies(stmt.hi)) continue;
      Block units = unitsOf(stmt, turns);
      if (units.empty())
        visitInside(stmt.body,
                    turns * std::clamp<int64_t>(tripCount(stmt).value_or(1), 1, 1 << 20));
      else
        i = putInPlace(block, i, std::move(units));
    }
  }

  // Whether lanes may differ in it.
  bool varies(const Expr& e) const {
    bool varies = false;
    forEachNode(e, [&](const ExprNode& node) {
      varies |= node.kind == ExprNode::Kind::Variable && varying_.contains(node.var);
      varies |= node.kind == ExprNode::Kind::Random;
      varies |= node.kind == ExprNode::Kind::Load &&
                program_.buffers[static_cast<size_t>(node.buffer)].kind == Buffer::Kind::Private;
    });
    return varies;
  }

  // What takes the place of a loop over units; empty where it is none, or does not pay.
  Block unitsOf(const Stmt& loop, int64_t turns) {
    Block result;
    if (StmtPtr units = marked(loop, turns)) {
      result.push_back(std::move(units));
      return result;
    }
    return withSumBehind(loop, turns);
  }

  // The loop, marked, with its lets in their places and what is packed; null where it is none.
  StmtPtr marked(const Stmt& loop, int64_t turns) {
    const auto match = unitLoop(program_, loop);
    const auto trip = tripCount(loop);
    if (!match || 2 * lanes_ > unitsOfVector(options_.vectorBytes, *trip)) return nullptr;
    for (const Stmt* along : match->along)
      if (varies(along->lo) || varies(along->hi)) return nullptr;
    if (varies(match->index)) return nullptr;
    const auto sideBySide = [&](const Expr& load) {
      return stepOf(load->args[0], match->unit) == 1;
    };
    for (const Expr& load : match->step.loads)
      if (sideBySide(load) ? !isShared(load->args[0]) : !canPack(load, *match, loop, turns))
        return nullptr;
    for (const Expr& load : match->value.loads)
      if (!sideBySide(load) || !isShared(load->args[0])) return nullptr;
    std::map<const ExprNode*, Expr> packed;
    for (const Expr& load : match->step.loads)
      if (!sideBySide(load)) packed[load.get()] = packs_.packed(load, around(*match, loop));

    Renaming lets;
    StmtPtr units = copyHead(loop, lets);
    units->units = true;
    units->body.push_back(copyHead(*match->declare, lets));
    Block* inside = &units->body;
    for (const Stmt* along : match->along) {
      inside->push_back(copyHead(*along, lets));
      inside = &inside->back()->body;
    }
    inside->push_back(copyHead(*match->assign, lets));
    inside->back()->value = replaced(match->step.e, packed);
    units->body.push_back(copyHead(*match->store, lets));
    units->body.back()->index = match->index;
    units->body.back()->value = match->value.e;
    return units;
  }

  // for j: acc = ...; sum = fma(a, f(acc), sum)
  // becomes for j: acc = ...; units[j] = f(acc), and for j: sum = fma(a, units[j], sum).
  Block withSumBehind(const Stmt& loop, int64_t turns) {
    const auto trip = tripCount(loop);
    if (!isUpward(loop) || !constantOf(loop.lo) || !trip || loop.body.size() < 3 ||
        loop.body.back()->kind != Stmt::Kind::Assign)
      return {};
    const Stmt& last = *loop.body.back();
    VarId inner = -1;
    for (const StmtPtr& stmt : loop.body) {
      if (stmt->kind == Stmt::Kind::Let || (stmt->kind == Stmt::Kind::Declare && inner >= 0))
        return {};
      if (stmt->kind == Stmt::Kind::Declare) inner = stmt->var;
    }
    if (inner < 0 || inner == last.var) return {};
    const Expr unit = valueOf(last.value, inner, last.var);
    if (!unit || unit->type != DType::F32) return {};
    Buffer buffer;
    buffer.name = "units";
    buffer.kind = Buffer::Kind::Private;
    buffer.type = DType::F32;
    buffer.elements = *trip;
    const auto id = static_cast<BufferId>(program_.buffers.size());
    program_.buffers.push_back(std::move(buffer));
    const auto element = [&](VarId var) { return loops::variable(var, DType::I64) - loop.lo; };

    StmtPtr first = copyAlike(loop);
    Stmt& store = *first->body.back();
    store.kind = Stmt::Kind::Store;
    store.var = -1;
    store.buffer = id;
    store.index = element(loop.var);
    store.value = unit;
    bool alone = true;
    forEachStmt(first->body, [&](const Stmt& stmt) {
      forEachExpr(stmt, [&](const Expr& e) { alone &= !mentions(e, last.var); });
    });
    StmtPtr units = alone ? marked(*first, turns) : nullptr;
    if (!units) {
      program_.buffers.pop_back();
      return {};
    }
    StmtPtr sum = makeLoop(loop, Stmt::Loop::Sequential, program_.variables++, loop.lo, loop.hi);
    sum->region = -1;
    inside_.insert(sum->var);
    Renaming own;
    own.replace(loop.var, loops::variable(sum->var, DType::I64));
    sum->body.push_back(copyHead(last, own));
    sum->body.back()->value =
        own(replaced(last.value, {{unit.get(), loops::load(id, DType::F32, element(loop.var))}}));
    Block result;
    result.push_back(std::move(units));
    result.push_back(std::move(sum));
    return result;
  }

  // The part of `e` that has all of `inner`, and nothing of `sum`.
  static Expr valueOf(const Expr& e, VarId inner, VarId sum) {
    if (!mentions(e, sum)) return mentions(e, inner) ? e : nullptr;
    Expr found;
    for (const Expr& arg : e->args) {
      if (!mentions(arg, inner)) continue;
      if (found) return nullptr;
      found = arg;
    }
    return found ? valueOf(found, inner, sum) : nullptr;
  }

  static Expr replaced(const Expr& e, const std::map<const ExprNode*, Expr>& with) {
    if (const auto found = with.find(e.get()); found != with.end()) return found->second;
    auto node = std::make_shared<ExprNode>(*e);
    bool changed = false;
    for (Expr& arg : node->args) {
      Expr other = replaced(arg, with);
      changed |= other != arg;
      arg = std::move(other);
    }
    return changed ? Expr(node) : e;
  }

  // ---- packing ----------------------------------------------------------------------------------

  // The same place for all lanes.
  bool isShared(const Expr& index) const {
    bool loads = false;
    forEachNode(index, [&](const ExprNode& node) { loads |= node.kind == ExprNode::Kind::Load; });
    return !loads && !varies(index);
  }

  bool canPack(const Expr& load, const UnitLoop& match, const Stmt& loop, int64_t turns) const {
    if (turns < kFewestTurns || !isShared(load->args[0])) return false;
    for (BufferId other : written_)
      if (mayOverlap(program_, other, load->buffer)) return false;
    return packs_.can(
        load, around(match, loop), [&](VarId var) { return inside_.contains(var); },
        conditions_ == 0);
  }

  static std::vector<const Stmt*> around(const UnitLoop& match, const Stmt& loop) {
    std::vector<const Stmt*> result = match.along;
    result.push_back(&loop);
    return result;
  }

  Program& program_;
  const TileOptions& options_;
  // Of the Lanes loop at hand.
  int64_t lanes_ = 0;
  std::set<VarId> inside_, varying_;  // variables: all that it defines, those lanes may differ in
  int conditions_ = 0;                // around what is looked at, inside of the lanes
  std::set<BufferId> written_;
  UnitPacks packs_;
};

}  // namespace

void vectorizeUnits(Program& program, const TileOptions& options) {
  Vectorizer(program, options).visit(program.body);
}

}  // namespace rlc::cpu
