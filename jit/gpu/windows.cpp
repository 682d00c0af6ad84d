#include "jit/gpu/windows.h"

#include <algorithm>

#include "jit/cpu/walk.h"

namespace rlc::gpu {

using cpu::Interval;
using cpu::Ranges;
using loops::Block;
using loops::Expr;
using loops::ExprNode;
using loops::Stmt;
using loops::VarId;

namespace {

using Terms = std::vector<std::pair<Expr, int64_t>>;

void addTerm(Terms& terms, const Expr& e, int64_t coefficient) {
  for (auto& [other, count] : terms) {
    if (!cpu::sameExpr(other, e)) continue;
    count += coefficient;
    return;
  }
  terms.emplace_back(e, coefficient);
}

void flatten(const Expr& e, int64_t coefficient, Terms& terms, int64_t& constant) {
  if (const auto value = cpu::constantOf(e)) {
    constant += coefficient * *value;
    return;
  }
  if (e->kind == ExprNode::Kind::Op && e->type == DType::I64 && e->args.size() == 2) {
    if (e->op == ScalarOp::Add || e->op == ScalarOp::Sub) {
      flatten(e->args[0], coefficient, terms, constant);
      return flatten(e->args[1], e->op == ScalarOp::Sub ? -coefficient : coefficient, terms,
                     constant);
    }
    if (e->op == ScalarOp::Mul)
      for (size_t side : {0, 1})
        if (const auto factor = cpu::constantOf(e->args[side]))
          return flatten(e->args[1 - side], coefficient * *factor, terms, constant);
  }
  addTerm(terms, e, coefficient);
}

// Whether the value stays the same while the variables in `bound` change.
bool isFixed(const Expr& e, const std::set<VarId>& bound) {
  bool fixed = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Variable) fixed &= bound.count(node.var) == 0;
    if (node.kind == ExprNode::Kind::Load || node.kind == ExprNode::Kind::Random) fixed = false;
  });
  return fixed;
}

Expr sumOf(const Terms& terms, int64_t constant) {
  Expr sum = loops::index(constant);
  for (const auto& [term, coefficient] : terms)
    if (coefficient != 0)
      sum = loops::op(ScalarOp::Add,
                      {sum, loops::op(ScalarOp::Mul, {term, loops::index(coefficient)})});
  return sum;
}

bool sameBase(const Terms& a, const Terms& b) {
  const auto covers = [](const Terms& x, const Terms& y) {
    return std::all_of(x.begin(), x.end(), [&](const auto& term) {
      return term.second == 0 || std::any_of(y.begin(), y.end(), [&](const auto& other) {
               return other.second == term.second && cpu::sameExpr(other.first, term.first);
             });
    });
  };
  return covers(a, b) && covers(b, a);
}

// The inside's range over all indices; none where the bases differ.
std::optional<Interval> insideRange(const std::vector<Expr>& indices, const std::set<VarId>& bound,
                                    const Ranges& ranges) {
  std::optional<Interval> all;
  std::optional<Terms> base;
  for (const Expr& index : indices) {
    const SplitIndex split = splitIndex(index, bound);
    if (base && !sameBase(*base, split.base)) return std::nullopt;
    base = split.base;
    const auto range = cpu::rangeOf(split.inside, ranges);
    if (!range) return std::nullopt;
    all = all ? Interval{std::min(all->lo, range->lo), std::max(all->hi, range->hi)} : *range;
  }
  return all;
}

}  // namespace

SplitIndex splitIndex(const Expr& index, const std::set<VarId>& bound) {
  Terms terms, inside;
  int64_t constant = 0;
  flatten(index, 1, terms, constant);
  SplitIndex result;
  for (const auto& [term, coefficient] : terms) {
    if (isFixed(term, bound))
      result.base.emplace_back(term, coefficient);
    else
      inside.emplace_back(term, coefficient);
  }
  result.inside = sumOf(inside, constant);
  return result;
}

std::optional<Window> windowOf(const std::vector<Expr>& indices, const std::set<VarId>& bound,
                               const Ranges& ranges) {
  const auto range = insideRange(indices, bound, ranges);
  if (!range) return std::nullopt;
  return Window{sumOf(splitIndex(indices.front(), bound).base, range->lo), range->lo,
                range->hi - range->lo + 1};
}

Expr insideWindow(const Expr& index, const std::set<VarId>& bound, const Window& window) {
  return loops::op(ScalarOp::Add, {splitIndex(index, bound).inside, loops::index(-window.low)});
}

std::set<VarId> boundIn(const Block& block) {
  std::set<VarId> bound;
  cpu::forEachStmt(block, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::For || s.kind == Stmt::Kind::Let || s.kind == Stmt::Kind::Declare)
      bound.insert(s.var);
  });
  return bound;
}

void Touched::add(const Stmt& stmt) {
  if (stmt.buffer >= 0) written.insert(stmt.buffer);
  for (const auto& place : stmt.places) written.insert(place.buffer);
  cpu::forEachExpr(stmt, [&](const Expr& e) {
    cpu::forEachNode(e, [&](const ExprNode& node) {
      if (node.buffer >= 0) loaded.insert(node.buffer);
    });
  });
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const auto& inner : *block) add(*inner);
}

std::map<loops::BufferId, std::vector<Expr>> indicesOf(const Block& block) {
  std::map<loops::BufferId, std::vector<Expr>> indices;
  cpu::forEachStmt(block, [&](const Stmt& s) {
    if (s.buffer >= 0) indices[s.buffer].push_back(s.index);
    for (const auto& place : s.places) indices[place.buffer].push_back(place.index);
    cpu::forEachExpr(s, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Load) indices[node.buffer].push_back(node.args[0]);
      });
    });
  });
  return indices;
}

Ranges loopRanges(const Block& block) {
  Ranges ranges;
  std::set<const Stmt*> inLanes;
  cpu::forEachStmt(block, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::Let && s.type == DType::I64 && inLanes.count(&s) != 0)
      if (const auto range = cpu::rangeOf(s.value, ranges)) ranges[s.var] = *range;
    if (s.kind != Stmt::Kind::For) return;
    if (s.loop == Stmt::Loop::Lanes)
      for (const auto& inner : s.body) inLanes.insert(inner.get());
    const auto lo = cpu::rangeOf(s.lo, ranges), hi = cpu::rangeOf(s.hi, ranges);
    if (lo && hi) ranges[s.var] = {lo->lo, std::max(lo->lo, hi->hi - 1)};
  });
  return ranges;
}

namespace {

// x .. x + n, x .. min(x + n, end): n, or the least of several.
std::optional<int64_t> lengthUpTo(const Expr& lo, const Expr& hi) {
  if (hi->kind == ExprNode::Kind::Op && hi->op == ScalarOp::Min) {
    const auto a = lengthUpTo(lo, hi->args[0]), b = lengthUpTo(lo, hi->args[1]);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  const auto length = cpu::linearOf(hi - lo);
  if (!length || std::any_of(length->coefficients.begin(), length->coefficients.end(),
                             [](const auto& term) { return term.second != 0; }))
    return std::nullopt;
  return std::max<int64_t>(0, length->constant);
}

}  // namespace

std::optional<int64_t> mostIterations(const Stmt& loop, const Ranges& ranges) {
  const auto length = lengthUpTo(loop.lo, loop.hi);
  const auto lo = cpu::rangeOf(loop.lo, ranges), hi = cpu::rangeOf(loop.hi, ranges);
  if (!lo || !hi) return length;
  const int64_t within = std::max<int64_t>(0, hi->hi - lo->lo);
  return length ? std::min(*length, within) : within;
}

}  // namespace rlc::gpu
