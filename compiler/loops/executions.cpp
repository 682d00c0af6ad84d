#include "compiler/loops/executions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

namespace rlc::loops {

namespace {

constexpr int64_t kMostClasses = int64_t{1} << 30;  // residue classes of a loop's variable
constexpr int64_t kMostVisits =
    20000000;  // of statements, in all; what is left then is taken to be smooth

// A loop's variable in the conditions and bounds of the loop's body.
struct Influence {
  std::unordered_set<const Stmt*> statements;  // that it decides on, and those around them
  // The body's own statements, each counted on its own: by the period of what they depend on modulo
  // constants, or divided by them (1 where it is affine); 0: they don't depend on it.
  std::map<int64_t, std::vector<const Stmt*>> byPeriod;
};

using Variables = std::unordered_map<VarId, int64_t>;  // with their periods

// What is known here of an expression: not what it loads.
bool isKnowable(const Expr& e) {
  return e && e->kind != ExprNode::Kind::Load && e->kind != ExprNode::Kind::Random;
}

// The variables on whose values conditions and bounds depend, through locals too.
class Deciding {
 public:
  explicit Deciding(const Block& body) { block(body); }
  bool contains(VarId var) const { return vars_.contains(var); }

 private:
  // Backward, for a local is read behind where it is bound.
  void block(const Block& body) {
    for (auto stmt = body.rbegin(); stmt != body.rend(); ++stmt) {
      block((*stmt)->otherwise);
      block((*stmt)->body);
      if ((*stmt)->kind == Stmt::Kind::If || (binds(**stmt) && contains((*stmt)->var)))
        reads((*stmt)->value);
      reads((*stmt)->lo);
      reads((*stmt)->hi);
    }
  }
  void reads(const Expr& e) {
    if (!isKnowable(e)) return;
    if (e->kind == ExprNode::Kind::Variable) vars_.insert(e->var);
    for (const Expr& arg : e->args) reads(arg);
  }

  std::unordered_set<VarId> vars_;
};

class Influences {
 public:
  explicit Influences(const Deciding& deciding) : deciding_(deciding) {}

  const Influence& of(const Stmt& loop) {
    const auto [at, isNew] = known_.try_emplace(&loop);
    if (!isNew) return at->second;
    influence_ = {};
    Variables vars{{loop.var, 1}};
    for (const StmtPtr& stmt : loop.body)
      influence_.byPeriod[statement(*stmt, vars)].push_back(stmt.get());
    return at->second = std::move(influence_);
  }

 private:
  // The period of what is decided on the statement and those within; 0: nothing.
  int64_t statement(const Stmt& stmt, Variables& vars) {
    int64_t decided = 0;
    if (stmt.kind == Stmt::Kind::For) decided = joint(period(stmt.lo, vars), period(stmt.hi, vars));
    if (stmt.kind == Stmt::Kind::If) decided = period(stmt.value, vars);
    if (binds(stmt) && deciding_.contains(stmt.var))
      if (const int64_t of = period(stmt.value, vars); of > 0) vars[stmt.var] = of;
    for (const Block* block : {&stmt.body, &stmt.otherwise})
      for (const StmtPtr& inner : *block) decided = joint(decided, statement(*inner, vars));
    if (decided > 0) influence_.statements.insert(&stmt);
    return decided;
  }
  static int64_t joint(int64_t a, int64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(std::lcm(a, b), kMostClasses + 1);
  }
  static int64_t period(const Expr& e, const Variables& vars) {
    if (!isKnowable(e)) return 0;
    if (e->kind == ExprNode::Kind::Variable) {
      const auto found = vars.find(e->var);
      return found == vars.end() ? 0 : found->second;
    }
    int64_t result = 0;
    for (const Expr& arg : e->args) result = joint(result, period(arg, vars));
    const bool divides =
        e->kind == ExprNode::Kind::Op && (e->op == ScalarOp::Mod || e->op == ScalarOp::FloorDiv);
    if (result > 0 && divides && e->args[1]->kind == ExprNode::Kind::Literal &&
        e->args[1]->literal.asInt() > 0)
      return joint(result, e->args[1]->literal.asInt());
    return result;
  }

  const Deciding& deciding_;
  std::unordered_map<const Stmt*, Influence> known_;
  Influence influence_;
};

// Walks a program, a few iterations of each loop. Which way its conditions went and which loops
// were empty has a signature: between two iterations of the same residue class and signature all
// conditions hold that hold in both, for they compare affine expressions, so the numbers of
// executions are polynomials there.
class Walk {
 public:
  explicit Walk(const Program& program) : deciding_(program.body), influences_(deciding_) {
    block(program.body, 1);
  }

  Executions counts;

 private:
  void block(const Block& body, double weight) {
    for (const StmtPtr& stmt : body) statement(*stmt, weight);
  }
  void statement(const Stmt& stmt, double weight) {
    if (probed_ != nullptr && !binds(stmt) && !probed_->statements.contains(&stmt)) return;
    ++visits_;
    if (probed_ == nullptr && stmt.kind != Stmt::Kind::For) count(stmt, weight);
    switch (stmt.kind) {
      case Stmt::Kind::For:
        loop(stmt, weight);
        return;
      case Stmt::Kind::If:
        branch(stmt, weight);
        return;
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
        bind(stmt);
        return;
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
      case Stmt::Kind::Check:
      case Stmt::Kind::Exit:
      case Stmt::Kind::Emit:
      case Stmt::Kind::Call:
        return;
    }
  }

  void bind(const Stmt& stmt) {
    if (!deciding_.contains(stmt.var)) return;
    const auto known = stmt.kind == Stmt::Kind::Assign ? std::nullopt : value(stmt.value);
    if (known)
      values_[stmt.var] = *known;
    else
      values_.erase(stmt.var);
  }

  void count(const Stmt& stmt, double weight) {
    Count& into = counts[&stmt];
    into.times += weight;
    if (doubtful_ > 0) into.doubtful += weight;
    into.exact = into.exact && unknown_ == 0 && visits_ <= kMostVisits;
  }

  void branch(const Stmt& stmt, double weight) {
    const auto holds = value(stmt.value);
    sign(holds ? (*holds != 0 ? 1 : 0) : 2);
    const bool doubtful = !holds && lanes_ == 0;
    if (doubtful) ++doubtful_;
    if (!holds || *holds != 0) block(stmt.body, weight);
    if (!holds || *holds == 0) block(stmt.otherwise, weight);
    if (doubtful) --doubtful_;
  }

  void loop(const Stmt& stmt, double weight) {
    const auto lo = value(stmt.lo), hi = value(stmt.hi);
    const bool left = leaves(stmt.body, stmt.var);
    const bool lanes = stmt.loop == Stmt::Loop::Lanes;
    if (left) ++doubtful_;
    if (lanes) ++lanes_;
    if (!lo || !hi) {
      values_.erase(stmt.var);
      ++unknown_;
      block(stmt.body, weight);
      --unknown_;
    } else {
      sign(*lo < *hi ? 1 : 0);
      iterations(stmt, *lo, *hi, weight);
    }
    values_.erase(stmt.var);
    if (lanes) --lanes_;
    if (left) --doubtful_;
  }

  void iterations(const Stmt& stmt, int64_t lo, int64_t hi, double weight) {
    if (lo >= hi) return;
    for (const auto& [period, part] : influences_.of(stmt).byPeriod) {
      if (period == 0)
        at({stmt, part}, lo, weight * static_cast<double>(hi - lo));
      else
        classes({stmt, part}, lo, hi, period, weight);
    }
  }

  // Some statements of a loop's body.
  struct Part {
    const Stmt& loop;
    const std::vector<const Stmt*>& statements;
  };

  // Iterations between which nothing is decided in another way.
  struct Piece {
    int64_t first, points;
    uint64_t like;
    bool operator==(const Piece& other) const {
      return points == other.points && like == other.like;
    }
  };
  struct Class {
    std::vector<Piece> pieces;
    uint64_t quotients;  // of its first iteration
    bool operator==(const Class& other) const {
      return quotients == other.quotients && pieces == other.pieces;
    }
  };

  void classes(const Part& part, int64_t lo, int64_t hi, int64_t period, double weight) {
    // At most an iteration each; too many classes: all as one.
    const int64_t step = std::min(period, hi - lo) <= kMostClasses ? std::min(period, hi - lo) : 1;
    if (step == 1 && period > 1) ++unknown_;
    const int64_t last = std::min(hi, lo + step) - 1;
    neighbours({part, hi, step}, lo, last, classOf({part, hi, step}, lo),
               classOf({part, hi, step}, last), weight);
    if (step == 1 && period > 1) --unknown_;
  }

  // The iterations of a part, classes of which are `step` apart.
  struct Classes {
    const Part& part;
    int64_t hi, step;
  };

  Class classOf(const Classes& of, int64_t first) {
    Class result{{}, 0};
    const int64_t last = first + (of.hi - 1 - first) / of.step * of.step;
    const uint64_t like = signature(of.part, first, &result.quotients);
    split(of.part, first, last, of.step, like, signature(of.part, last), result.pieces);
    return result;
  }

  // The classes of the iterations first, ..., last. Where those at the ends are alike, so are all
  // between: no quotient changes there, and no comparison.
  void neighbours(const Classes& of, int64_t first, int64_t last, const Class& atFirst,
                  const Class& atLast, double weight) {
    const int64_t count = last - first + 1;
    if (atFirst == atLast || visits_ > kMostVisits) {
      sign(static_cast<uint64_t>(count));
      return weigh(count, [&](int64_t offset, double share) {
        for (Piece piece : atFirst.pieces) {
          piece.first += offset;
          smooth(of.part, piece, of.step, weight * share);
        }
      });
    }
    const int64_t middle = first + count / 2;
    neighbours(of, first, middle - 1, atFirst,
               middle - 1 == first ? atFirst : classOf(of, middle - 1), weight);
    neighbours(of, middle, last, middle == last ? atLast : classOf(of, middle), atLast, weight);
  }

  // The iterations first, first + step, ..., last, the signatures of whose ends are given.
  void split(const Part& part, int64_t first, int64_t last, int64_t step, uint64_t atFirst,
             uint64_t atLast, std::vector<Piece>& pieces) {
    const int64_t points = (last - first) / step + 1;
    if (points <= 2 || atFirst == atLast || visits_ > kMostVisits) {
      pieces.push_back(
          {first, points, points > 1 && points <= 2 ? atFirst ^ (atLast << 1) : atFirst});
      return;
    }
    const int64_t middle = first + (points / 2) * step;
    split(part, first, middle - step, step, atFirst, signature(part, middle - step), pieces);
    split(part, middle, last, step, signature(part, middle), atLast, pieces);
  }

  void smooth(const Part& part, const Piece& piece, int64_t step, double weight) {
    sign(3);
    weigh(piece.points,
          [&](int64_t k, double share) { at(part, piece.first + k * step, weight * share); });
  }

  // The sum over 0, ..., points - 1 of a polynomial of degree 3 at most, as that of a few of its
  // values, each with a weight: Simpson's rule for an odd number of points.
  static void weigh(int64_t points, const std::function<void(int64_t, double)>& take) {
    if (points % 2 == 0) take(--points, 1);
    if (points == 1) return take(0, 1);
    // By the mean and the second difference: the variance of the points over h^2, halved.
    const double n = static_cast<double>(points), h = (n - 1) / 2,
                 spread = (n * n - 1) / 12 / (h * h) / 2;
    take(0, n * spread);
    take(points / 2, n * (1 - 2 * spread));
    take(points - 1, n * spread);
  }

  void at(const Part& part, int64_t position, double weight) {
    values_[part.loop.var] = position;
    for (const StmtPtr& stmt : part.loop.body)
      if (binds(*stmt)) bind(*stmt);
    for (const Stmt* stmt : part.statements) statement(*stmt, weight);
  }

  uint64_t signature(const Part& part, int64_t position, uint64_t* quotients = nullptr) {
    const Influence* probed = std::exchange(probed_, &influences_.of(part.loop));
    const uint64_t outer = std::exchange(signature_, 0);
    const uint64_t around = std::exchange(quotients_, 0);
    at(part, position, 0);
    if (quotients != nullptr) *quotients = quotients_;
    quotients_ = around;
    probed_ = probed;
    return std::exchange(signature_, outer);
  }
  void sign(uint64_t what) {
    signature_ = (signature_ ^ what) * 0x100000001b3 + 0x9e3779b97f4a7c15;
  }

  static bool leaves(const Block& body, VarId var) {
    return std::any_of(body.begin(), body.end(), [&](const StmtPtr& stmt) {
      return (stmt->kind == Stmt::Kind::Exit && stmt->var == var) || leaves(stmt->body, var) ||
             leaves(stmt->otherwise, var);
    });
  }

  // Of integers and conditions, where it is known; what comparisons found joins the signature.
  std::optional<int64_t> value(const Expr& e) {
    switch (e->kind) {
      case ExprNode::Kind::Literal:
        return e->type == DType::I64 || e->type == DType::Bool ? std::optional(e->literal.asInt())
                                                               : std::nullopt;
      case ExprNode::Kind::Variable: {
        const auto found = values_.find(e->var);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
      }
      case ExprNode::Kind::Op:
        return operation(*e);
      case ExprNode::Kind::Load:
      case ExprNode::Kind::Fma:
      case ExprNode::Kind::Factor:
      case ExprNode::Kind::Pair:
      case ExprNode::Kind::PairFma:
      case ExprNode::Kind::Random:
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<int64_t> operation(const ExprNode& e) {
    if (e.op == ScalarOp::Cast || (e.type != DType::I64 && e.type != DType::Bool) ||
        e.args.size() > 2)
      return std::nullopt;
    const auto a = value(e.args.front()), b = e.args.size() == 2 ? value(e.args.back()) : a;
    // One side decides, whatever the other one is.
    if (e.op == ScalarOp::And && ((a && *a == 0) || (b && *b == 0))) return 0;
    if (e.op == ScalarOp::Or && ((a && *a != 0) || (b && *b != 0))) return 1;
    if (!a || !b) return std::nullopt;
    const int order = *a < *b ? 0 : *a == *b ? 1 : 2;
    switch (e.op) {
      case ScalarOp::Lt:
        return sign(order), order == 0;
      case ScalarOp::Le:
        return sign(order), order <= 1;
      case ScalarOp::Eq:
        return sign(order), order == 1;
      case ScalarOp::Ne:
        return sign(order), order != 1;
      case ScalarOp::And:
        return 1;
      case ScalarOp::Or:
        return 0;
      case ScalarOp::Not:
        return *a == 0;
      case ScalarOp::Min:
      case ScalarOp::Max:
        sign(order);
        break;
      case ScalarOp::Mod:
      case ScalarOp::FloorDiv:
        if (const auto quotient = indexValue(ScalarOp::FloorDiv, *a, *b))
          quotients_ = quotients_ * 0x100000001b3 + static_cast<uint64_t>(*quotient);
        break;
      default:
        break;
    }
    return e.type == DType::I64 && e.args.size() == 2 ? indexValue(e.op, *a, *b) : std::nullopt;
  }

  Deciding deciding_;
  Influences influences_;
  std::unordered_map<VarId, int64_t>
      values_;  // of the loop variables and locals that are known here
  const Influence* probed_ =
      nullptr;  // the signature of this influence is looked for, nothing is counted
  uint64_t signature_ = 0;
  uint64_t quotients_ = 0;          // of all divisions by constants since the signature was begun
  int doubtful_ = 0, unknown_ = 0;  // how many statements around this one make its count so
  int lanes_ = 0;                   // loops over lanes around it
  int64_t visits_ = 0;
};

}  // namespace

Executions executionsOf(const Program& program) {
  Walk walk(program);
  for (auto& [stmt, count] : walk.counts)
    count.times = std::round(count.times), count.doubtful = std::round(count.doubtful);
  return std::move(walk.counts);
}

}  // namespace rlc::loops
