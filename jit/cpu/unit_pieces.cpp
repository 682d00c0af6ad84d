#include "jit/cpu/unit_pieces.h"

#include <algorithm>
#include <cstdlib>

#include "jit/cpu/outer.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestUnits = 16;
constexpr double kGradients = 0.15;  // part of the operations that sums over samples have to be
constexpr double kUnits = 0.6;       // and all loops over units

bool isCounted(const Stmt& loop) {
  return isUpward(loop) && !loop.units && constantOf(loop.lo) && tripCount(loop);
}

// A number in another type, of something that is kept: computed again where it is used.
bool isCast(const Expr& e) {
  return e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Cast &&
         e->args[0]->kind == ExprNode::Kind::Variable;
}

// Whether a sum has an element of its own for each of its loops' points.
bool isOneToOne(const UnitPiece& piece) {
  const int64_t units = std::abs(stepOf(piece.index, piece.units->var));
  if (units == 0 || piece.rows == nullptr) return units != 0;
  const int64_t rows = std::abs(stepOf(piece.index, piece.rows->var));
  return rows >= units * *tripCount(*piece.units) ||
         (rows != 0 && units >= rows * *tripCount(*piece.rows));
}

bool isNear(int64_t step) { return step == 0 || step == 1; }

}  // namespace

UnitPieces::UnitPieces(const Program& program, const Stmt& lanes)
    : program_(program), lanes_(lanes), varying_{lanes.var} {
  forEachStmt(lanes.body, [&](const Stmt& stmt) {
    if (binds(stmt)) varying_.insert(stmt.var);
  });
}

bool UnitPieces::take(const UnitPacks& packs, const std::function<bool(VarId)>& inside,
                      const std::set<BufferId>& written) {
  if (std::any_of(lanes_.reductions.begin(), lanes_.reductions.end(),
                  [](const Stmt::Reduction& reduction) { return reduction.local >= 0; }))
    return false;
  split();
  return checkInOnePiece() && pays() && noteUses() && readsSideBySide(packs, inside, written) &&
         storesInOrder();
}

// A piece runs for all samples before the next one: with checks in two, the first piece's fault
// would be told, not the first sample's.
bool UnitPieces::checkInOnePiece() const {
  return std::ranges::count_if(pieces_, [&](const UnitPiece& piece) {
           bool checks = false;
           forEachStatement(piece,
                            [&](const Stmt& stmt) { checks |= stmt.kind == Stmt::Kind::Check; });
           return checks;
         }) < 2;
}

bool UnitPieces::isPrivate(BufferId id) const {
  return id >= 0 && program_.buffers[static_cast<size_t>(id)].kind == Buffer::Kind::Private;
}

// Whether it may differ between samples.
bool UnitPieces::varies(const Expr& e) const {
  bool varies = mentionsAny(e, [&](VarId var) { return varying_.contains(var); });
  forEachNode(e, [&](const ExprNode& node) {
    varies |= node.kind == ExprNode::Kind::Random || isPrivate(node.buffer);
  });
  return varies;
}

void UnitPieces::forEachStatement(const UnitPiece& piece,
                                  const std::function<void(const Stmt&)>& visit) const {
  for (const Stmt* stmt : piece.statements) visitStatement(*stmt, visit);
}

void UnitPieces::visitStatement(const Stmt& stmt,
                                const std::function<void(const Stmt&)>& visit) const {
  if (isDotLoop(stmt)) return;
  visit(stmt);
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const StmtPtr& inner : *block) visitStatement(*inner, visit);
}

// ---- the pieces ---------------------------------------------------------------------------------

void UnitPieces::split() {
  for (size_t i = 0; i < lanes_.body.size(); ++i) {
    const StmtPtr& stmt = lanes_.body[i];
    if (stmt->kind == Stmt::Kind::Let && isCast(stmt->value)) {
      inlined_.replace(stmt->var, inlined_(stmt->value));
      continue;
    }
    if (auto units = unitLoop(*stmt)) {
      pieces_.push_back(std::move(*units));
      continue;
    }
    findDot(lanes_.body, i, nullptr);
    if (isCounted(*stmt) && stmt->elements)
      for (size_t k = 0; k < stmt->body.size(); ++k) findDot(stmt->body, k, stmt.get());
    if (pieces_.empty() || pieces_.back().units != nullptr) pieces_.emplace_back();
    pieces_.back().statements.push_back(stmt.get());
  }
}

std::optional<UnitPiece> UnitPieces::unitLoop(const Stmt& loop) const {
  if (!isCounted(loop) || !loop.elements) return std::nullopt;
  Renaming lets = inlined_;
  const Stmt* const only = onlyStatement(loop.body, lets);
  if (only != nullptr && only->kind == Stmt::Kind::Accumulate)
    return sumOverSamples(loop, nullptr, *only, lets);
  if (only != nullptr && isCounted(*only) && only->elements && !lets.touches(only->lo)) {
    Renaming inner = lets;
    const Stmt* const sum = onlyStatement(only->body, inner);
    if (sum != nullptr && sum->kind == Stmt::Kind::Accumulate)
      return sumOverSamples(loop, only, *sum, inner);
  }
  if (*tripCount(loop) < kFewestUnits || !isPlain(loop.body, loop.var)) return std::nullopt;
  UnitPiece piece;
  piece.statements = {&loop};
  piece.units = &loop;
  return piece;
}

// for j: (for k:) G[...] += value. The lanes are where neighbours lie side by side, if they can be.
std::optional<UnitPiece> UnitPieces::sumOverSamples(const Stmt& loop, const Stmt* inner,
                                                    const Stmt& sum, Renaming& lets) const {
  UnitPiece piece;
  piece.statements = {&loop};
  piece.sum = &sum;
  piece.index = lets(sum.index);
  piece.value = lets(sum.value);
  piece.units = &loop;
  if (inner != nullptr) {
    const bool across = *tripCount(*inner) >= kFewestUnits;
    piece.units = across ? inner : &loop;
    piece.rows = across ? &loop : inner;
  }
  if (!isSharedSum(program_, &sum) || varies(piece.index) ||
      !isPure(program_, piece.value, sum.buffer) || *tripCount(*piece.units) < kFewestUnits ||
      !isOneToOne(piece))
    return std::nullopt;
  return piece;
}

// Statements that store an element of each unit in private storage, and change nothing else.
bool UnitPieces::isPlain(const Block& block, VarId unit) const {
  return std::all_of(block.begin(), block.end(), [&](const StmtPtr& stmt) {
    switch (stmt->kind) {
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
        return true;
      case Stmt::Kind::For:
        return isCounted(*stmt) && isPlain(stmt->body, unit);
      case Stmt::Kind::Store:
        return isPrivate(stmt->buffer) && stmt->value->type == DType::F32 &&
               stepOf(stmt->index, unit) == 1;
      default:
        return false;
    }
  });
}

// acc = 0; for k: acc = fma(a[k], b[k], acc) becomes a piece of its own, before what uses acc. The
// block, where it stands at `i`, is a sample's, or that of a loop over outputs, `rows`.
void UnitPieces::findDot(const Block& block, size_t i, const Stmt* rows) {
  if (i + 1 == block.size() || block[i]->kind != Stmt::Kind::Declare) return;
  const Stmt &declare = *block[i], &loop = *block[i + 1];
  if (declare.type != DType::F32 || declare.value->kind != ExprNode::Kind::Literal ||
      !isCounted(loop) || *tripCount(loop) < kFewestUnits)
    return;
  Renaming lets = inlined_;
  const Stmt* const add = onlyStatement(loop.body, lets);
  if (add == nullptr || add->kind != Stmt::Kind::Assign || add->var != declare.var) return;
  const Expr value = lets(add->value);
  const auto isSum = [&](const Expr& e) { return mentions(e, declare.var); };
  if (value->kind != ExprNode::Kind::Fma || value->args[2]->kind != ExprNode::Kind::Variable ||
      !isSum(value->args[2]) || isSum(value->args[0]) || isSum(value->args[1]))
    return;
  UnitPiece piece;
  piece.units = &loop;
  piece.rows = rows;
  piece.dot = &declare;
  piece.value = value->args[0] * value->args[1];
  if (rows != nullptr && !isKnownBefore(piece.value, *rows)) return;
  std::vector<UnitLoad> loads;
  noteLoads(piece.value, {}, loads);
  const auto step = [&](const UnitLoad& each) { return stepOf(each.load->args[0], loop.var); };
  const bool own = std::any_of(loads.begin(), loads.end(), [&](const UnitLoad& each) {
    return step(each) == 1 && isPrivate(each.load->buffer);
  });
  if (!own || !std::all_of(loads.begin(), loads.end(),
                           [&](const UnitLoad& each) { return isNear(step(each)); }))
    return;
  dotLoops_.insert(&loop);
  pieces_.push_back(std::move(piece));
}

// Whether nothing that the loop computes is part of it.
bool UnitPieces::isKnownBefore(const Expr& e, const Stmt& loop) const {
  bool known = true;
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    if (binds(stmt)) known &= !mentions(e, stmt.var);
    forEachNode(e, [&](const ExprNode& node) {
      known &=
          node.kind != ExprNode::Kind::Random &&
          (node.buffer < 0 || stmt.buffer < 0 || !mayOverlap(program_, node.buffer, stmt.buffer));
    });
  });
  return known;
}

bool UnitPieces::pays() const {
  double all = 0, units = 0, gradients = 0;
  for (const UnitPiece& piece : pieces_)
    for (const Stmt* stmt : piece.statements) {
      Block alone;
      alone.push_back(copyAlike(*stmt));
      const double own = countOperations(alone);
      all += own;
      if (piece.units != nullptr) units += own;
      if (piece.sum != nullptr && piece.rows != nullptr && *tripCount(*piece.rows) >= kFewestUnits)
        gradients += own;
    }
  return gradients >= kGradients * all && units >= kUnits * all;
}

// ---- what goes from piece to piece --------------------------------------------------------------

bool UnitPieces::noteUses() {
  std::map<BufferId, std::set<size_t>> users;
  bool can = true;
  for (size_t p = 0; p < pieces_.size(); ++p)
    for (const Stmt* stmt : pieces_[p].statements)
      if (binds(*stmt)) home_.emplace(stmt->var, p);
  const auto note = [&](const Expr& e, size_t p) {
    forEachNode(inlined_(e), [&](const ExprNode& node) {
      if (isPrivate(node.buffer)) users[node.buffer].insert(p);
      if (node.kind == ExprNode::Kind::Variable && home_.contains(node.var) &&
          home_.at(node.var) != p)
        crossing_[node.var] = node.type;
    });
  };
  for (size_t p = 0; p < pieces_.size(); ++p) {
    if (pieces_[p].dot != nullptr) note(pieces_[p].value, p);
    forEachStatement(pieces_[p], [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Assign && home_.contains(stmt.var))
        can &= home_.at(stmt.var) == p;
      can &= stmt.kind != Stmt::Kind::Exit && stmt.kind != Stmt::Kind::Emit &&
             stmt.kind != Stmt::Kind::Call;
      if (isPrivate(stmt.buffer)) users[stmt.buffer].insert(p);
      forEachExpr(stmt, [&](const Expr& own) { note(own, p); });
    });
  }
  for (const auto& [buffer, pieces] : users)
    if (pieces.size() > 1 || pieces_[*pieces.begin()].units != nullptr) shared_.insert(buffer);
  return can;
}

// ---- how units read and write -------------------------------------------------------------------

// Whether neighbouring units find what they read and write side by side, or in one place, or it can
// be packed.
bool UnitPieces::readsSideBySide(const UnitPacks& packs, const std::function<bool(VarId)>& inside,
                                 const std::set<BufferId>& written) {
  for (const UnitPiece& piece : pieces_) {
    if (piece.units == nullptr) continue;
    const VarId unit = piece.units->var;
    std::vector<UnitLoad> loads;
    if (piece.value != nullptr)
      noteLoads(piece.value, {}, loads);
    else if (!collectLoads(piece.units->body, {}, unit, loads))
      return false;
    for (const UnitLoad& each : loads) {
      const Expr& index = each.load->args[0];
      if (!linearIn(index, [&](VarId var) { return var == unit; })) return false;
      const int64_t step = stepOf(index, unit);
      if (isPrivate(each.load->buffer) && step != 0) {
        if (step != 1) return false;
        byUnits_.insert(each.load->buffer);
      } else if (!isNear(step)) {
        std::vector<const Stmt*> around = each.along;
        around.push_back(piece.units);
        if (each.along.empty() || varies(index) || !packs.can(each.load, around, inside, false) ||
            std::any_of(written.begin(), written.end(), [&](BufferId other) {
              return mayOverlap(program_, other, each.load->buffer);
            }))
          return false;
      }
    }
    forEachStatement(piece, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Store) byUnits_.insert(stmt.buffer);
    });
  }
  return true;
}

// Where samples are lanes, a store to elements that are units' neighbours would be a scatter.
bool UnitPieces::storesInOrder() const {
  bool can = true;
  for (const UnitPiece& piece : pieces_)
    if (piece.units == nullptr)
      forEachStatement(piece, [&](const Stmt& stmt) { can &= !isByUnits(stmt.buffer); });
  return can;
}

bool UnitPieces::collectLoads(const Block& block, std::vector<const Stmt*> along, VarId unit,
                              std::vector<UnitLoad>& loads) const {
  for (const StmtPtr& stmt : block) {
    if (stmt->kind == Stmt::Kind::For) {
      for (const Expr& bound : {stmt->lo, stmt->hi})
        if (varies(bound) || mentions(bound, unit)) return false;
      along.push_back(stmt.get());
      if (!collectLoads(stmt->body, along, unit, loads)) return false;
      along.pop_back();
      continue;
    }
    bool draws = false;
    forEachExpr(*stmt, [&](const Expr& e) {
      noteLoads(inlined_(e), along, loads);
      forEachNode(e, [&](const ExprNode& node) { draws |= node.kind == ExprNode::Kind::Random; });
    });
    if (draws) return false;
  }
  return true;
}

void UnitPieces::noteLoads(const Expr& e, const std::vector<const Stmt*>& along,
                           std::vector<UnitLoad>& loads) {
  if (e->kind == ExprNode::Kind::Load) loads.push_back({e, along});
  for (const Expr& arg : e->args) noteLoads(arg, along, loads);
}

}  // namespace rlc::cpu
