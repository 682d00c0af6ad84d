#include "jit/cpu/polls.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr double kOperationsBetween = 1e6;
constexpr double kUnknown = 1e18;
constexpr double kEmit = 2000;  // operations' worth of a call of the host
constexpr double kSorted = 20;  // of each element that is sorted, or set in a tree

// Sum of coefficient * variable, and something between lo and hi.
struct Linear {
  std::map<VarId, double> of;
  double lo = 0, hi = 0;
};

double bounded(double value) { return std::clamp(value, -kUnknown, kUnknown); }

class Placer {
 public:
  Placer(const loops::Program& program, const Plan& plan) : plan_(plan) {
    block(program.body, true);
  }
  std::unordered_map<const Stmt*, int64_t> take() { return std::move(polls_); }

 private:
  // Operations that pass without a look, at most.
  double block(const Block& block, bool outermost) {
    double count = 0;
    for (const auto& stmt : block) count += statement(*stmt, outermost);
    return count;
  }

  double statement(const Stmt& stmt, bool outermost) {
    const double own = ownOperations(stmt);
    switch (stmt.kind) {
      case Stmt::Kind::For:
        return own + loop(stmt, outermost);
      case Stmt::Kind::If:
        return own + block(stmt.body, outermost) + block(stmt.otherwise, outermost);
      case Stmt::Kind::Let:
        if (stmt.type == DType::I64) values_[stmt.var] = linear(stmt.value);
        return own;
      case Stmt::Kind::Emit:
        return own + kEmit;
      case Stmt::Kind::Call:
        if (stmt.function == Stmt::Function::Prefetch) return own;
        return own + kSorted * std::max(1.0, most(linear(stmt.args.at(lengthArgument(stmt)))));
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
      case Stmt::Kind::Check:
      case Stmt::Kind::Exit:
        return own;
    }
    return own;
  }

  double loop(const Stmt& stmt, bool outermost) {
    const Linear lo = linear(stmt.lo), hi = linear(stmt.hi);
    values_[stmt.var] = Linear();
    values_[stmt.var].of[stmt.var] = 1;
    ranges_[stmt.var] = {-most(scaled(lo, -1)), most(hi) - 1};
    const double body = std::max(1.0, block(stmt.body, false));
    double trips = mostTrips(stmt);
    // The run-time looks between the chunks of a parallel loop.
    if (const auto found = plan_.parallel.find(&stmt); found != plan_.parallel.end())
      trips = std::ceil(trips / static_cast<double>(found->second.chunks));
    // Outermost loops look at each iteration that is more than a few operations: a run's end comes
    // after a whole one then.
    const bool each = outermost && stmt.loop == Stmt::Loop::Sequential && holdsWork(stmt);
    if (!each && trips * body <= kOperationsBetween) return trips * body;
    const double every =
        each ? 1
             : std::exp2(std::floor(std::log2(std::clamp(kOperationsBetween / body, 1.0, 1e6))));
    polls_[&stmt] = static_cast<int64_t>(every);
    return every * body;
  }

  static bool holdsWork(const Stmt& loop) {
    return std::any_of(loop.body.begin(), loop.body.end(), [](const auto& inner) {
      return inner->kind == Stmt::Kind::For || inner->kind == Stmt::Kind::Emit ||
             inner->kind == Stmt::Kind::Call || inner->kind == Stmt::Kind::If;
    });
  }

  double mostTrips(const Stmt& loop) {
    if (const auto trips = tripCount(loop)) return static_cast<double>(*trips);
    return std::max(0.0, mostDifference(loop.hi, loop.lo));
  }

  // min(a, b) - x is no more than a - x, and x - max(a, b) no more than x - a.
  double mostDifference(const Expr& hi, const Expr& lo) {
    double least = most(sum(linear(hi), scaled(linear(lo), -1)));
    if (isOp(hi, ScalarOp::Min))
      for (const Expr& arg : hi->args) least = std::min(least, mostDifference(arg, lo));
    else if (isOp(lo, ScalarOp::Max))
      for (const Expr& arg : lo->args) least = std::min(least, mostDifference(hi, arg));
    return least;
  }

  static bool isOp(const Expr& e, ScalarOp op) {
    return e->kind == ExprNode::Kind::Op && e->op == op;
  }

  // ---- bounds of index expressions --------------------------------------------------------------

  double most(const Linear& value) const {
    double result = value.hi;
    for (const auto& [var, factor] : value.of) {
      const auto& [lo, hi] = ranges_.at(var);
      result += factor * (factor > 0 ? hi : lo);
    }
    return bounded(result);
  }

  static Linear between(double lo, double hi) {
    Linear result;
    result.lo = bounded(lo);
    result.hi = bounded(hi);
    return result;
  }

  static Linear scaled(Linear value, double factor) {
    for (auto& [var, old] : value.of) old *= factor;
    Linear result = between(std::min(value.lo * factor, value.hi * factor),
                            std::max(value.lo * factor, value.hi * factor));
    result.of = std::move(value.of);
    return result;
  }

  static Linear sum(Linear a, const Linear& b) {
    for (const auto& [var, factor] : b.of)
      if ((a.of[var] += factor) == 0) a.of.erase(var);
    a.lo = bounded(a.lo + b.lo);
    a.hi = bounded(a.hi + b.hi);
    return a;
  }

  // Each node once: what is shared may be shared at every level.
  Linear linear(const Expr& e) {
    const auto found = known_.find(e.get());
    if (found != known_.end()) return found->second;
    return known_[e.get()] = linearOf(*e);
  }

  Linear linearOf(const ExprNode& e) {
    if (e.type == DType::I64 && e.kind == ExprNode::Kind::Literal) {
      const auto value = static_cast<double>(e.literal.i);
      return between(value, value);
    }
    if (e.type == DType::I64 && e.kind == ExprNode::Kind::Variable)
      if (const auto found = values_.find(e.var); found != values_.end()) return found->second;
    if (e.type != DType::I64 || e.kind != ExprNode::Kind::Op || e.args.size() != 2)
      return between(-kUnknown, kUnknown);
    const Linear a = linear(e.args[0]), b = linear(e.args[1]);
    const double aMost = most(a), bMost = most(b), aLeast = -most(scaled(a, -1)),
                 bLeast = -most(scaled(b, -1));
    const bool literal = b.of.empty() && b.lo == b.hi;
    if (e.op == ScalarOp::Add) return sum(a, b);
    if (e.op == ScalarOp::Sub) return sum(a, scaled(b, -1));
    if (e.op == ScalarOp::Mul && literal) return scaled(a, b.lo);
    if (e.op == ScalarOp::Mul && a.of.empty() && a.lo == a.hi) return scaled(b, a.lo);
    if (e.op == ScalarOp::Min) return between(std::min(aLeast, bLeast), std::min(aMost, bMost));
    if (e.op == ScalarOp::Max) return between(std::max(aLeast, bLeast), std::max(aMost, bMost));
    if (e.op == ScalarOp::FloorDiv && literal && b.lo > 0)
      return between(std::floor(aLeast / b.lo), std::floor(aMost / b.lo));
    if (e.op == ScalarOp::Mod && literal && b.lo > 0) return between(0, b.lo - 1);
    return between(-kUnknown, kUnknown);
  }

  const Plan& plan_;
  std::unordered_map<const Stmt*, int64_t> polls_;
  std::unordered_map<VarId, std::pair<double, double>>
      ranges_;                                // of loop variables, both ends included
  std::unordered_map<VarId, Linear> values_;  // loop variables and Lets, in loop variables
  std::unordered_map<const ExprNode*, Linear> known_;
};

}  // namespace

std::unordered_map<const Stmt*, int64_t> placePolls(const loops::Program& program,
                                                    const Plan& plan) {
  return Placer(program, plan).take();
}

}  // namespace rlc::cpu
