#include "compiler/loops/work.h"

#include <map>
#include <optional>
#include <unordered_set>

namespace rlc::loops {

Work& Work::operator+=(const Work& other) {
  flops += other.flops;
  loadBytes += other.loadBytes;
  storeBytes += other.storeBytes;
  exact = exact && other.exact;
  return *this;
}

namespace {

Work operator*(Work work, double times) {
  work.flops *= times;
  work.loadBytes *= times;
  work.storeBytes *= times;
  return work;
}

bool isArithmetic(ScalarOp op) {
  switch (op) {
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
    case ScalarOp::IsNan:
    case ScalarOp::IsInf:
    case ScalarOp::IsFinite:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Not:
    case ScalarOp::Select:
    case ScalarOp::Cast:
      return false;
    default:
      return true;
  }
}

class Counter {
 public:
  Counter(const Program& program, const Stmt* part)
      : program_(program), part_(part), counting_(part == nullptr) {}

  Work block(const Block& body) {
    Work work;
    for (const StmtPtr& stmt : body) work += statement(*stmt);
    return work;
  }

  Work statement(const Stmt& stmt) {
    if (&stmt != part_) return inner(stmt);
    counting_ = true;
    const Work work = inner(stmt);
    counting_ = false;
    return work;
  }

 private:
  Work inner(const Stmt& stmt) {
    switch (stmt.kind) {
      case Stmt::Kind::For:
        return repeated(stmt, [&] { return block(stmt.body); });
      case Stmt::Kind::If: {
        Work work = once(stmt);
        work += block(stmt.body);
        work += block(stmt.otherwise);
        return work;
      }
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare: {
        const Work work = once(stmt);
        if (const auto known = stmt.type == DType::I64 ? value(stmt.value) : std::nullopt)
          values_[stmt.var] = *known;
        else
          values_.erase(stmt.var);
        return work;
      }
      case Stmt::Kind::Assign:
        values_.erase(stmt.var);
        return once(stmt);
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
      case Stmt::Kind::Check:
      case Stmt::Kind::Exit:
      case Stmt::Kind::Emit:
      case Stmt::Kind::Call:
        return once(stmt);
    }
    return {};
  }

  // What `body` counts in all iterations of a loop, whose variable has a value meanwhile.
  template <typename Body>
  Work repeated(const Stmt& loop, const Body& body) {
    Work outside;
    const auto lo = value(loop.lo), hi = value(loop.hi);
    if (!lo || !hi) {
      values_.erase(loop.var);
      outside += body();
      outside.exact = false;
      return outside;
    }
    const int64_t count = *hi - *lo;
    if (count <= 0) return outside;
    const auto at = [&](int64_t position) {
      values_[loop.var] = position;
      return body();
    };
    Work work = at(*lo);
    if (count == 1 || !lengthsDependOn(loop))
      return finish(loop, work * static_cast<double>(count));
    if (count == 2) {
      work += at(*lo + 1);
      return finish(loop, work);
    }
    if (count % 2 == 0) {  // an odd number of points for Simpson's rule, and one more
      work = simpson(work, at(*lo + (count - 2) / 2), at(*hi - 2), count - 1);
      work += at(*hi - 1);
    } else {
      work = simpson(work, at(*lo + (count - 1) / 2), at(*hi - 1), count);
    }
    return finish(loop, work);
  }

  // The sum over `count` integers of a cubic with these values at the first, the middle and the
  // last: by the mean and the second difference.
  static Work simpson(const Work& first, const Work& middle, const Work& last, int64_t count) {
    const double n = static_cast<double>(count), h = (n - 1) / 2;
    const double spread =
        (n * n - 1) / 12 / (h * h) / 2;  // the variance of the points, over h^2, halved
    Work work = middle * n;
    work += first * (n * spread);
    work += last * (n * spread);
    work += middle * (-2 * n * spread);
    return work;
  }

  Work finish(const Stmt& loop, Work work) {
    values_.erase(loop.var);
    return work;
  }

  // Whether a loop within has bounds that mention this loop's variable, directly or through a
  // local.
  bool lengthsDependOn(const Stmt& loop) {
    std::unordered_set<VarId> tainted{loop.var};
    return boundsMention(loop.body, tainted);
  }
  static bool boundsMention(const Block& body, std::unordered_set<VarId>& tainted) {
    for (const StmtPtr& stmt : body) {
      if (stmt->kind == Stmt::Kind::For &&
          (mentions(stmt->lo, tainted) || mentions(stmt->hi, tainted)))
        return true;
      const bool binds = stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare ||
                         stmt->kind == Stmt::Kind::Assign;
      if (binds && mentions(stmt->value, tainted)) tainted.insert(stmt->var);
      if (boundsMention(stmt->body, tainted) || boundsMention(stmt->otherwise, tainted))
        return true;
    }
    return false;
  }
  static bool mentions(const Expr& e, const std::unordered_set<VarId>& vars) {
    if (!e) return false;
    if (e->kind == ExprNode::Kind::Variable) return vars.contains(e->var);
    for (const Expr& arg : e->args)
      if (mentions(arg, vars)) return true;
    return false;
  }

  // The statement's own expressions, evaluated once.
  Work once(const Stmt& stmt) const {
    Work work;
    if (!counting_) return work;
    for (const Expr& e : {stmt.value, stmt.index}) expression(e, work);
    for (const Expr& e : stmt.args) expression(e, work);
    if (stmt.buffer >= 0) {
      const Buffer& buffer = program_.buffers[static_cast<size_t>(stmt.buffer)];
      const double bytes =
          buffer.kind == Buffer::Kind::Arena ? static_cast<double>(byteSize(buffer.type)) : 0;
      work.storeBytes += bytes;
      if (stmt.kind == Stmt::Kind::Accumulate) {
        work.loadBytes += bytes;
        if (isFloat(buffer.type)) work.flops += 1;
      }
    }
    return work;
  }

  void expression(const Expr& e, Work& work) const {
    if (!e) return;
    if (e->kind == ExprNode::Kind::Fma) work.flops += 2;
    if (e->kind == ExprNode::Kind::Op && isFloat(e->type) && isArithmetic(e->op)) work.flops += 1;
    if (e->kind == ExprNode::Kind::Load) {
      const Buffer& buffer = program_.buffers[static_cast<size_t>(e->buffer)];
      if (buffer.kind == Buffer::Kind::Arena)
        work.loadBytes += static_cast<double>(byteSize(buffer.type));
    }
    for (const Expr& arg : e->args) expression(arg, work);
  }

  std::optional<int64_t> value(const Expr& e) const {
    switch (e->kind) {
      case ExprNode::Kind::Literal:
        return e->literal.asInt();
      case ExprNode::Kind::Variable: {
        const auto at = values_.find(e->var);
        return at == values_.end() ? std::nullopt : std::optional(at->second);
      }
      case ExprNode::Kind::Op:
        break;
      case ExprNode::Kind::Load:
      case ExprNode::Kind::Fma:
      case ExprNode::Kind::Random:
        return std::nullopt;
    }
    if (e->type != DType::I64 || e->op == ScalarOp::Cast) return std::nullopt;
    std::vector<Expr> args;
    for (const Expr& arg : e->args) {
      const auto known = arg->type == DType::I64 ? value(arg) : std::nullopt;
      if (!known) return std::nullopt;
      args.push_back(index(*known));
    }
    const Expr folded = op(e->op, std::move(args));
    return folded->kind == ExprNode::Kind::Literal ? std::optional(folded->literal.asInt())
                                                   : std::nullopt;
  }

  const Program& program_;
  const Stmt* part_;
  bool counting_;
  std::map<VarId, int64_t> values_;  // of the loop variables and locals that are known here
};

}  // namespace

Work workOf(const Program& program, const Stmt* part) {
  return Counter(program, part).block(program.body);
}

}  // namespace rlc::loops
