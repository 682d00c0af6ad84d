#include "jit/cpu/choices.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestLanes = 8;  // of which some hardly ever want the other side

class Chooser {
 public:
  explicit Chooser(Program& program) : program_(program) {}

  void visit(Block& block, bool inLanes) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      bool inside = inLanes;
      if (stmt.kind == Stmt::Kind::For) {
        noteRange(stmt, ranges_);
        if (stmt.loop == Stmt::Loop::Lanes &&
            tripCount(stmt).value_or(kFewestLanes) >= kFewestLanes) {
          inside = true;
          varying_.insert(stmt.var);
        }
      }
      if (stmt.kind == Stmt::Kind::Let && differs(stmt.value)) varying_.insert(stmt.var);
      visit(stmt.body, inside);
      visit(stmt.otherwise, inside);
      if (!inLanes || stmt.kind != Stmt::Kind::If || !differs(stmt.value) || !isChoice(stmt))
        continue;
      i = putInPlace(block, i, bothSides(stmt));
    }
  }

 private:
  // Whether lanes may see different values; what is not obvious counts as equal.
  bool differs(const Expr& e) const {
    bool found = false;
    forEachNode(e, [&](const ExprNode& node) {
      found |= node.kind == ExprNode::Kind::Variable && varying_.count(node.var) != 0;
      found |= node.kind == ExprNode::Kind::Load &&
               program_.buffers[static_cast<size_t>(node.buffer)].kind == Buffer::Kind::Private;
    });
    return found;
  }

  // Both sides give one local a value, one of them by a loop, and neither can fail or be seen
  // elsewhere.
  bool isChoice(const Stmt& stmt) const {
    if (stmt.body.empty() || stmt.otherwise.empty()) return false;
    const Stmt &then = *stmt.body.back(), &otherwise = *stmt.otherwise.back();
    if (then.kind != Stmt::Kind::Assign || otherwise.kind != Stmt::Kind::Assign ||
        then.var != otherwise.var)
      return false;
    bool loops = false;
    for (const Block* side : {&stmt.body, &stmt.otherwise}) {
      std::set<VarId> own{then.var};
      if (!isHarmless(*side, own)) return false;
      int results = 0;
      forEachStmt(*side, [&](const Stmt& inner) {
        loops |= inner.kind == Stmt::Kind::For;
        results += inner.kind == Stmt::Kind::Assign && inner.var == then.var;
      });
      if (results != 1) return false;
    }
    return loops;
  }

  bool isHarmless(const Block& block, std::set<VarId>& own) const {
    for (const StmtPtr& stmt : block) {
      switch (stmt->kind) {
        case Stmt::Kind::Let:
        case Stmt::Kind::Declare:
          own.insert(stmt->var);
          break;
        case Stmt::Kind::Assign:
          if (own.count(stmt->var) == 0) return false;
          break;
        case Stmt::Kind::For:
          if (stmt->loop != Stmt::Loop::Sequential || !tripCount(*stmt)) return false;
          break;
        case Stmt::Kind::If:
          break;
        default:
          return false;
      }
      bool harmless = true;
      forEachExpr(*stmt, [&](const Expr& e) {
        forEachNode(e, [&](const ExprNode& node) { harmless &= isHarmless(node); });
      });
      if (!harmless || !isHarmless(stmt->body, own) || !isHarmless(stmt->otherwise, own))
        return false;
    }
    return true;
  }

  bool isHarmless(const ExprNode& node) const {
    switch (node.kind) {
      case ExprNode::Kind::Random:
        return false;  // harmless, but dear
      case ExprNode::Kind::Load: {
        const auto range = rangeOf(node.args[0], ranges_);
        return range && range->lo >= 0 &&
               range->hi < program_.buffers[static_cast<size_t>(node.buffer)].elements;
      }
      case ExprNode::Kind::Op: {
        if (!mayFault(node.op, node.args[0]->type, node.type)) return true;
        const Expr& last = node.args.back();
        return node.args.size() == 2 && last->kind == ExprNode::Kind::Literal &&
               last->literal.i != 0;
      }
      default:
        return true;
    }
  }

  Block bothSides(Stmt& stmt) {
    Block result;
    std::vector<Expr> args{stmt.value};
    StmtPtr choice;
    for (Block* side : {&stmt.body, &stmt.otherwise}) {
      choice = std::move(side->back());
      side->pop_back();
      args.push_back(choice->value);
      std::move(side->begin(), side->end(), std::back_inserter(result));
    }
    choice->value = loops::op(ScalarOp::Select, std::move(args));
    choice->region = stmt.region;
    result.push_back(std::move(choice));
    return result;
  }

  Program& program_;
  Ranges ranges_;
  std::set<VarId> varying_;
};

}  // namespace

void computeBothSides(Program& program) { Chooser(program).visit(program.body, false); }

}  // namespace rlc::cpu
