#include "jit/cpu/walk.h"

#include <algorithm>
#include <unordered_set>

#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

void forEachStmt(const Block& block, const std::function<void(const Stmt&)>& visit) {
  for (const auto& stmt : block) {
    visit(*stmt);
    forEachStmt(stmt->body, visit);
    forEachStmt(stmt->otherwise, visit);
  }
}

void forEachExpr(const Stmt& stmt, const std::function<void(const Expr&)>& visit) {
  for (const Expr* e : {&stmt.lo, &stmt.hi, &stmt.value, &stmt.index})
    if (*e) visit(*e);
  for (const Expr& e : stmt.args) visit(e);
  for (const Stmt::Place& place : stmt.places) visit(place.index);
}

bool mentions(const Block& block, VarId var) {
  bool found = false;
  forEachStmt(block, [&](const Stmt& stmt) {
    forEachExpr(stmt, [&](const Expr& e) { found |= mentions(e, var); });
  });
  return found;
}

namespace {

double operationsOf(const Expr& e) {
  double count = 0;
  forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Random)
      count += 60;
    else if (node.kind == ExprNode::Kind::Op && node.op >= ScalarOp::Exp &&
             node.op <= ScalarOp::Digamma)
      count += 20;
    else if (node.kind != ExprNode::Kind::Literal && node.kind != ExprNode::Kind::Variable)
      count += 1;
  });
  return count;
}

}  // namespace

std::optional<int64_t> constantOf(const Expr& e) {
  if (!e || e->kind != ExprNode::Kind::Literal || e->type != DType::I64) return std::nullopt;
  return e->literal.i;
}

bool isPlaced(const Buffer& buffer) {
  return buffer.kind == Buffer::Kind::Private || buffer.kind == Buffer::Kind::Scratch ||
         buffer.kind == Buffer::Kind::Thread;
}

int64_t bytesOf(const Buffer& buffer) {
  return buffer.elements * static_cast<int64_t>(byteSize(buffer.type));
}

bool isInFile(const Program& program, const Buffer& buffer) {
  return buffer.kind == Buffer::Kind::Arena && buffer.offset >= program.residentBytes;
}

std::optional<int64_t> tripCount(const Stmt& loop) {
  const auto lo = constantOf(loop.lo), hi = constantOf(loop.hi);
  if (lo && hi) return std::max<int64_t>(0, *hi - *lo);
  // x .. x + n
  if (loop.hi && loop.hi->kind == ExprNode::Kind::Op && loop.hi->op == ScalarOp::Add &&
      loop.hi->type == DType::I64) {
    const Expr &a = loop.hi->args[0], &b = loop.hi->args[1];
    if (constantOf(b) && sameExpr(a, loop.lo)) return std::max<int64_t>(0, *constantOf(b));
    if (constantOf(a) && sameExpr(b, loop.lo)) return std::max<int64_t>(0, *constantOf(a));
  }
  return std::nullopt;
}

bool isUpward(const Stmt& loop) {
  return loop.kind == Stmt::Kind::For && loop.loop == Stmt::Loop::Sequential && !loop.descending &&
         !loop.rootLoop && loop.root < 0;
}

bool mayOverlap(const loops::Program& program, loops::BufferId a, loops::BufferId b) {
  if (a == b) return true;
  const loops::Buffer& x = program.buffers[static_cast<size_t>(a)];
  const loops::Buffer& y = program.buffers[static_cast<size_t>(b)];
  if (x.kind != loops::Buffer::Kind::Arena || y.kind != loops::Buffer::Kind::Arena) return false;
  const int64_t xEnd = x.offset + bytesOf(x);
  const int64_t yEnd = y.offset + bytesOf(y);
  return x.offset < yEnd && y.offset < xEnd;
}

size_t lengthArgument(const Stmt& call) {
  switch (call.function) {
    case Stmt::Function::Sort:
    case Stmt::Function::ArgSort:
      return 0;
    case Stmt::Function::Permutation:
      return call.args.size() - 2;
    case Stmt::Function::TreeUpdate:
      return 2;
    case Stmt::Function::Product:
    case Stmt::Function::Prefetch:
      break;
  }
  return 0;
}

bool isGuard(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::If && stmt.otherwise.empty() && stmt.region < 0 && stmt.root < 0;
}

bool isSaidBy(const Expr& e, const std::function<bool(VarId)>& which) {
  bool said = true;
  forEachNode(e, [&](const ExprNode& node) {
    said &= node.kind == ExprNode::Kind::Literal || node.kind == ExprNode::Kind::Op ||
            (node.kind == ExprNode::Kind::Variable && which(node.var));
  });
  return said;
}

double ownOperations(const Stmt& stmt) {
  double own = 1;
  forEachExpr(stmt, [&](const Expr& e) { own += operationsOf(e); });
  return own;
}

namespace {

constexpr double kCall = 1000.0;     // where the length is not known
constexpr double kPerSorted = 50.0;  // an element is moved several times and compared or counted

double callOperations(const Stmt& call) {
  using Function = Stmt::Function;
  if (call.function == Function::Prefetch) return 1;
  const bool sorts = call.function == Function::Sort || call.function == Function::ArgSort ||
                     call.function == Function::Permutation;
  const auto sorted = sorts ? constantOf(call.args.at(lengthArgument(call))) : std::nullopt;
  return sorted ? std::max(kCall, kPerSorted * static_cast<double>(*sorted)) : kCall;
}

}  // namespace

double countOperations(const Block& block) {
  double count = 0;
  for (const auto& stmt : block) {
    double own = ownOperations(*stmt);
    if (stmt->kind == Stmt::Kind::Call) own += callOperations(*stmt);
    if (stmt->kind == Stmt::Kind::For)
      own += static_cast<double>(tripCount(*stmt).value_or(16)) * countOperations(stmt->body);
    else
      own += countOperations(stmt->body) + countOperations(stmt->otherwise);
    count += own;
  }
  return count;
}

}  // namespace rlc::cpu
