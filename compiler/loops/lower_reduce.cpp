// Reductions computed where they are read: loops over the range with an accumulator.
#include <limits>
#include <optional>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/expressions.h"
#include "compiler/loops/lowering.h"
#include "compiler/pdg/printer.h"
#include "compiler/schedule/loop_bounds.h"
#include "compiler/schedule/range_lanes.h"
#include "compiler/types/lists.h"

namespace rlc::loops {

namespace {

constexpr int64_t kFewestRows = 16;  // that lanes share

// How far an index moves where the variable moves by one.
std::optional<int64_t> strideOf(const Expr& e, VarId var) {
  const auto linear = linearIn(e, [&](VarId other) { return other == var; });
  if (!linear) return std::nullopt;
  const auto found = linear->coefficients.find(var);
  return found == linear->coefficients.end() ? 0 : found->second;
}

// What the loads of an expression tell about the direction that memory runs in: whether all of them
// stay or go on by one element in `along`, and some of them leap in `across`.
struct Direction {
  bool along = true, leaps = false;
  void visit(const Expr& e, VarId alongVar, VarId acrossVar) {
    if (!e) return;
    if (e->kind == ExprNode::Kind::Load) {
      const auto inner = strideOf(e->args[0], alongVar), outer = strideOf(e->args[0], acrossVar);
      along = along && inner && (*inner == 0 || *inner == 1);
      leaps = leaps || !outer || (*outer != 0 && *outer != 1);
    }
    for (const Expr& arg : e->args) visit(arg, alongVar, acrossVar);
  }
};

}  // namespace

Combine combineOf(pdg::ReduceKind kind) {
  switch (kind) {
    case pdg::ReduceKind::Sum:
      return Combine::Sum;
    case pdg::ReduceKind::Prod:
      return Combine::Prod;
    case pdg::ReduceKind::Max:
    case pdg::ReduceKind::ArgMax:
      return Combine::Max;
    case pdg::ReduceKind::Min:
    case pdg::ReduceKind::ArgMin:
      return Combine::Min;
    case pdg::ReduceKind::All:
      return Combine::All;
    case pdg::ReduceKind::Any:
    case pdg::ReduceKind::FirstTrue:
      return Combine::Any;
  }
  throw InternalError("lowering: unknown reduction");
}

Scalar identityOf(Combine combine, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case Combine::Sum:
    case Combine::Any:
      return Scalar::ofInt(type, 0);
    case Combine::Prod:
    case Combine::All:
      return Scalar::ofInt(type, 1);
    case Combine::Max:
    case Combine::Min:
      break;
  }
  const bool least = combine == Combine::Max;
  if (isFloat(type)) return Scalar::ofFloat(type, least ? -infinity : infinity);
  switch (type) {
    case DType::Bool:
      return Scalar::ofInt(type, least ? 0 : 1);
    case DType::U8:
      return Scalar::ofInt(type, least ? 0 : 255);
    case DType::I32:
      return Scalar::ofInt(
          type, least ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max());
    default:
      return Scalar::ofInt(
          type, least ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max());
  }
}

void Lowering::overRange(const Node& node, const pdg::Reduce& reduce, const std::vector<Var>& only,
                         Values values, const std::vector<Stmt::Reduction>& lanes,
                         const std::function<void(const Values&, VarId)>& body) {
  // Keyed variables have no value here and the range does not depend on them.
  std::vector<Var> vars;
  for (Var var : reduce.domain.vars())
    if (values.contains(var) || contains(reduce.bound, var)) vars.push_back(var);
  const Set domain = reduce.domain.projectOnto(vars);
  std::vector<Var> known, knownDims;
  for (Var var : vars) {
    if (contains(only, var)) continue;
    known.push_back(var);
    if (contains(node.dims, var)) knownDims.push_back(var);
  }
  // What holds without a test. That the range has a point is not among it: the reduction is
  // evaluated where it is empty, too.
  Set described = node.domain.projectOnto(knownDims).extendTo(vars);
  for (Var var : known)  // an element's position lies in the shape
    if (var.isElement())
      described = described.intersect(
          Condition::within(IndexExpr(var), 0, node.shape[static_cast<size_t>(var.elementAxis())]));
  for (Var var : known)  // the range's own variables that loops around it run over
    if (contains(reduce.bound, var))
      described = described.intersect(domain.projectOnto({var}).extendTo(vars));

  std::function<void(size_t)> nest = [&](size_t depth) {
    if (depth == only.size()) {
      const auto rest = domain.gist(described).toCondition();
      if (!rest) throw InternalError("lowering: a range without a test");
      emitIf(rest->substitute(values), [&] { body(values, -1); });
      return;
    }
    const Var var = only[depth];
    std::vector<Var> sofar = known;
    sofar.insert(sofar.end(), only.begin(), only.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
    const Set projected = domain.projectOnto(sofar);
    const auto [lo, hi] = schedule::boundsOver({projected}, var);
    described = described.intersect(Condition::within(IndexExpr(var), lo, hi));
    const VarId loop = newVariable();
    const Expr first = toExpr(lo.substitute(values)), last = toExpr(hi.substitute(values));
    const bool useLanes = !lanes.empty() && depth + 1 == only.size() && lanesDepth_ == 0 &&
                          schedule::isLongRange(hi - lo, described);
    values[var] = IndexExpr(bindVariable(loop));
    lanesDepth_ += useLanes;
    Block inside = inBlock([&] {
      if (depth + 1 < only.size()) return nest(depth + 1);
      const auto rest = domain.gist(described).toCondition();
      if (!rest) throw InternalError("lowering: a range without a test");
      emitIf(rest->substitute(values), [&] { body(values, loop); });
    });
    lanesDepth_ -= useLanes;
    Stmt& statement = emitFor(loop, first, last, std::move(inside),
                              useLanes ? Stmt::Loop::Lanes : Stmt::Loop::Sequential);
    if (!useLanes) return;
    if (Stmt* rows = rowsOf(statement)) {
      statement.loop = Stmt::Loop::Sequential;
      rows->loop = Stmt::Loop::Lanes;
      return;
    }
    statement.reductions = lanes;
  };
  nest(0);
}

Stmt* Lowering::rowsOf(const Stmt& loop) const {
  Stmt* rows = nullptr;
  for (const StmtPtr& stmt : loop.body) {
    if (binds(*stmt)) continue;
    if (rows != nullptr || stmt->kind != Stmt::Kind::For) return nullptr;
    rows = stmt.get();
  }
  if (rows == nullptr || rows->lo->kind != ExprNode::Kind::Literal ||
      rows->hi->kind != ExprNode::Kind::Literal ||
      rows->hi->literal.asInt() - rows->lo->literal.asInt() < kFewestRows)
    return nullptr;
  Direction direction;
  std::vector<Stmt::Reduction> reductions;
  for (const StmtPtr& stmt : rows->body) {
    if (stmt->kind == Stmt::Kind::Assign) {
      const auto found = accumulators_.find(stmt->var);
      if (found == accumulators_.end()) return nullptr;
      reductions.push_back({-1, stmt->var, found->second});
    } else if (stmt->kind != Stmt::Kind::Let) {
      return nullptr;
    }
    direction.visit(stmt->value, rows->var, loop.var);
  }
  if (!direction.along || !direction.leaps || reductions.size() != 1) return nullptr;
  rows->reductions = reductions;
  return rows;
}

Expr Lowering::combined(Combine combine, DType type, const Expr& before, const Expr& value) const {
  switch (combine) {
    case Combine::Sum: {
      const bool product = value->kind == ExprNode::Kind::Op && value->op == ScalarOp::Mul &&
                           value->type == type && (type == DType::F32 || type == DType::F64);
      return product ? fma(value->args[0], value->args[1], before) : before + cast(type, value);
    }
    case Combine::Prod:
      return before * cast(type, value);
    case Combine::Max:
      return op(ScalarOp::Max, {before, value});
    case Combine::Min:
      return op(ScalarOp::Min, {before, value});
    case Combine::All:
      return op(ScalarOp::And, {before, value});
    case Combine::Any:
      return op(ScalarOp::Or, {before, value});
  }
  throw InternalError("lowering: unknown reduction");
}

Expr Lowering::emitReduce(const Node& node, const pdg::Reduce& reduce, const Values& values) {
  using Kind = pdg::ReduceKind;
  const bool positions = reduce.kind == Kind::ArgMax || reduce.kind == Kind::ArgMin;
  const bool extremum = reduce.kind == Kind::Max || reduce.kind == Kind::Min;
  const DType bodyType = graph_.node(node.inputs[0].producer).type;
  const Combine combine = combineOf(reduce.kind);

  // Runs `take` at every point of the range that the filter keeps.
  auto scan = [&](const std::vector<Stmt::Reduction>& lanes,
                  const std::function<void(const Values&, VarId)>& take) {
    overRange(node, reduce, reduce.bound, values, lanes, [&](const Values& at, VarId innermost) {
      if (!reduce.hasFilter) return take(at, innermost);
      const Expr keep = emitRead(node, 1, at);
      Block inside = inBlock([&] { take(at, innermost); });
      Stmt& test = append(Stmt::Kind::If);
      test.value = keep;
      test.body = std::move(inside);
    });
  };

  if (reduce.kind == Kind::FirstTrue) {
    const VarId first =
        declare(DType::I32, cast(DType::I32, toExpr(resolve(reduce.otherwise, node, values))));
    scan({}, [&](const Values& at, VarId innermost) {
      const Expr holds = local(DType::Bool, cast(DType::Bool, emitRead(node, 0, at)));
      const Expr position = cast(DType::I32, toExpr(at.at(reduce.bound[0]) + IndexExpr(1)));
      assign(first, DType::I32,
             op(ScalarOp::Select, {holds, position, variable(first, DType::I32)}));
      Stmt& exit = append(Stmt::Kind::Exit);
      exit.var = innermost;
      exit.value = holds;
    });
    return variable(first, DType::I32);
  }

  // An extremum over a range that is never empty needs no test.
  const bool mayBeEmpty =
      positions || (extremum && (reduce.hasFilter ||
                                 !node.domain.isSubset(reduce.domain.projectOnto(node.dims))));
  const VarId seen = mayBeEmpty ? declare(DType::Bool, literal(Scalar::ofInt(DType::Bool, 0))) : -1;
  const DType accumulatorType = positions ? bodyType : node.type;
  const VarId best = declare(accumulatorType, literal(identityOf(combine, accumulatorType)));
  const VarId where = positions ? declare(DType::I32, literal(Scalar::ofInt(DType::I32, 0))) : -1;

  std::vector<Stmt::Reduction> lanes;
  if (!mayBeEmpty) {
    lanes.push_back({-1, best, combine});
    accumulators_[best] = combine;
  }
  scan(lanes, [&](const Values& at, VarId) {
    Expr value = emitRead(node, 0, at);
    if (!positions) {
      assign(best, node.type, combined(combine, node.type, variable(best, node.type), value));
    } else {
      // Strictly better, or the first NaN; the first point of all whatever its value.
      value = local(bodyType, value);
      const Expr before = variable(best, bodyType);
      Expr better = reduce.kind == Kind::ArgMax ? op(ScalarOp::Lt, {before, value})
                                                : op(ScalarOp::Lt, {value, before});
      if (isFloat(bodyType)) {
        const Expr fresh = op(ScalarOp::And, {op(ScalarOp::IsNan, {value}),
                                              op(ScalarOp::Not, {op(ScalarOp::IsNan, {before})})});
        better = op(ScalarOp::Or, {better, fresh});
      }
      better = local(DType::Bool,
                     op(ScalarOp::Or, {better, op(ScalarOp::Not, {variable(seen, DType::Bool)})}));
      assign(best, bodyType, op(ScalarOp::Select, {better, value, before}));
      const Expr position = cast(DType::I32, toExpr(at.at(reduce.bound[0])));
      assign(where, DType::I32,
             op(ScalarOp::Select, {better, position, variable(where, DType::I32)}));
    }
    if (mayBeEmpty) assign(seen, DType::Bool, literal(Scalar::ofInt(DType::Bool, 1)));
  });
  if (mayBeEmpty) {
    check(variable(seen, DType::Bool), diagnostics::Kind::EmptyReductionFault,
          pdg::emptyRangeText(graph_, node), node, values);
  }
  return positions ? variable(where, DType::I32) : variable(best, node.type);
}

}  // namespace rlc::loops
