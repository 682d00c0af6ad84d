#include "compiler/sema/fold.h"

#include <cmath>

#include "compiler/polyhedral/checked_math.h"

namespace rlc::sema {

using syntax::BinaryOp;

namespace {

int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

std::optional<int64_t> power(int64_t base, int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
    if (result == 0 || (result == 1 && base == 1)) return result;
    if (base == -1) return exponent % 2 ? -1 : 1;
  }
  return result;
}

std::optional<double> numberOf(const Tensor& t) {
  if (t.number) return t.number;
  if (auto c = t.constant()) return static_cast<double>(*c);
  if (auto b = t.constantBool()) return *b ? 1.0 : 0.0;
  return std::nullopt;
}

std::optional<IndexExpr> indexOf(const Tensor& t) {
  if (t.index) return t.index;
  if (auto b = t.constantBool()) return IndexExpr(*b ? 1 : 0);
  return std::nullopt;
}

bool isComparisonOp(BinaryOp op) {
  return op == BinaryOp::Equal || op == BinaryOp::NotEqual || op == BinaryOp::Less ||
         op == BinaryOp::LessEqual;
}

std::optional<IndexExpr> foldIndex(BinaryOp op, const IndexExpr& a, const IndexExpr& b) {
  auto ca = a.asConstant(), cb = b.asConstant();
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Subtract:
      return a - b;
    case BinaryOp::Multiply:
      if (cb) return a * *cb;
      if (ca) return b * *ca;
      return std::nullopt;
    case BinaryOp::FloorDivide:
      if (!cb || *cb == 0) return std::nullopt;
      return IndexExpr::floorDiv(a, *cb);
    case BinaryOp::Modulo:
      if (!cb || *cb == 0) return std::nullopt;
      return IndexExpr::mod(a, *cb);
    case BinaryOp::Power: {
      if (!ca || !cb) return std::nullopt;
      auto p = power(*ca, *cb);
      return p ? std::optional<IndexExpr>(*p) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

double foldNumber(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Subtract:
      return a - b;
    case BinaryOp::Multiply:
      return a * b;
    case BinaryOp::Divide:
      return a / b;
    case BinaryOp::FloorDivide:
      return std::floor(a / b);
    case BinaryOp::Modulo:
      return a - b * std::floor(a / b);
    case BinaryOp::Power:
      return std::pow(a, b);
    default:
      return 0;
  }
}

Scalar foldScalars(BinaryOp op, const Scalar& a, const Scalar& b) {
  bool floats = a.isFloating() || b.isFloating();
  auto compare = [&](auto x, auto y) {
    switch (op) {
      case BinaryOp::Equal:
        return x == y;
      case BinaryOp::NotEqual:
        return x != y;
      case BinaryOp::Less:
        return x < y;
      default:
        return x <= y;
    }
  };
  if (op == BinaryOp::And) return Scalar::ofInt(DType::Bool, a.asBool() && b.asBool());
  if (op == BinaryOp::Or) return Scalar::ofInt(DType::Bool, a.asBool() || b.asBool());
  if (isComparisonOp(op))
    return Scalar::ofInt(
        DType::Bool, floats ? compare(a.asDouble(), b.asDouble()) : compare(a.asInt(), b.asInt()));
  if (floats || op == BinaryOp::Divide)
    return Scalar::ofFloat(DType::F64, foldNumber(op, a.asDouble(), b.asDouble()));
  int64_t x = a.asInt(), y = b.asInt();
  switch (op) {
    case BinaryOp::Add:
      return Scalar::ofInt(DType::I32, x + y);
    case BinaryOp::Subtract:
      return Scalar::ofInt(DType::I32, x - y);
    case BinaryOp::Multiply:
      return Scalar::ofInt(DType::I32, x * y);
    case BinaryOp::FloorDivide:
      return Scalar::ofInt(DType::I32, y ? floorDiv(x, y) : 0);
    case BinaryOp::Modulo:
      return Scalar::ofInt(DType::I32, y ? x - y * floorDiv(x, y) : 0);
    case BinaryOp::Power:
      return Scalar::ofInt(DType::I32, power(x, y).value_or(0));
    default:
      return Scalar::ofInt(DType::I32, 0);
  }
}

}  // namespace

std::shared_ptr<const PointFunction> pointFunction(const Tensor& t) {
  if (t.function) return t.function;
  auto f = std::make_shared<PointFunction>();
  if (t.index) {
    t.index->collectVariables(f->vars);
    f->evaluate = [e = *t.index](const std::function<int64_t(Var)>& at) {
      return Scalar::ofInt(DType::I64, e.evaluate(at));
    };
    return f;
  }
  if (t.condition) {
    t.condition->collectVariables(f->vars);
    f->evaluate = [c = *t.condition](const std::function<int64_t(Var)>& at) {
      return Scalar::ofInt(DType::Bool, c.evaluate(at));
    };
    return f;
  }
  if (t.number) {
    f->evaluate = [x = *t.number](const std::function<int64_t(Var)>&) {
      return Scalar::ofFloat(DType::F64, x);
    };
    return f;
  }
  return nullptr;
}

std::shared_ptr<const PointFunction> negated(const std::shared_ptr<const PointFunction>& f) {
  auto g = std::make_shared<PointFunction>();
  g->vars = f->vars;
  g->evaluate = [f](const std::function<int64_t(Var)>& at) {
    return Scalar::ofInt(DType::Bool, !f->evaluate(at).asBool());
  };
  return g;
}

bool foldBinary(BinaryOp op, const Tensor& a, const Tensor& b, Tensor& result) {
  if (!a.shape.empty() || !b.shape.empty() || !a.isStatic() || !b.isStatic()) return false;
  bool weak = a.weak != Weak::No && b.weak != Weak::No;
  bool floats = isFloat(a.type) || isFloat(b.type);
  try {
    if (op == BinaryOp::And || op == BinaryOp::Or) {
      if (a.condition && b.condition) {
        result = conditionValue(op == BinaryOp::And ? *a.condition && *b.condition
                                                    : *a.condition || *b.condition);
        return true;
      }
    } else if (isComparisonOp(op)) {
      auto ia = indexOf(a), ib = indexOf(b);
      if (ia && ib) {
        switch (op) {
          case BinaryOp::Equal:
            result = conditionValue(Condition::equal(*ia, *ib));
            break;
          case BinaryOp::NotEqual:
            result = conditionValue(Condition::notEqual(*ia, *ib));
            break;
          case BinaryOp::Less:
            result = conditionValue(Condition::less(*ia, *ib));
            break;
          default:
            result = conditionValue(Condition::lessEqual(*ia, *ib));
            break;
        }
        return true;
      }
      auto na = numberOf(a), nb = numberOf(b);
      if (na && nb) {
        result = boolLiteral(
            foldScalars(op, Scalar::ofFloat(DType::F64, *na), Scalar::ofFloat(DType::F64, *nb))
                .asBool());
        return true;
      }
    } else if (!floats && op != BinaryOp::Divide) {
      auto ia = indexOf(a), ib = indexOf(b);
      if (ia && ib) {
        if (auto e = foldIndex(op, *ia, *ib)) {
          auto c = e->asConstant();
          if (c && weak)
            result = intLiteral(
                a.type == DType::I64 || b.type == DType::I64 ? *c : static_cast<int32_t>(*c));
          else if (c && *c != static_cast<int32_t>(*c))
            return false;
          else
            result = indexValue(*e);
          DType type = promote(a.weak == Weak::No ? a.type : DType::Bool,
                               b.weak == Weak::No ? b.type : DType::Bool);
          if (type == DType::I64 || type == DType::U8) return weak;  // other integer types are data
          return true;
        }
      }
    } else {
      auto na = numberOf(a), nb = numberOf(b);
      if (na && nb) {
        bool f64 = (a.type == DType::F64 && a.weak == Weak::No) ||
                   (b.type == DType::F64 && b.weak == Weak::No);
        bool bf16 = a.type == DType::BF16 || b.type == DType::BF16;
        if (bf16) return false;
        result = floatLiteral(foldNumber(op, *na, *nb));
        if (!weak) {
          result.weak = Weak::No;
          result.type = f64 ? DType::F64 : DType::F32;
          result.number = Scalar::ofFloat(result.type, *result.number).f;
        }
        return true;
      }
    }
  } catch (const polyhedral::IndexOverflow&) {  // overflow: left to the run
    return false;
  }
  if (floats || op == BinaryOp::Divide) return false;
  if ((op == BinaryOp::FloorDivide || op == BinaryOp::Modulo) && b.constant() == 0)
    return false;  // a fault, where the program runs
  auto fa = pointFunction(a), fb = pointFunction(b);
  if (!fa || !fb) return false;
  auto f = std::make_shared<PointFunction>();
  f->vars = fa->vars;
  for (Var var : fb->vars) f->vars.push_back(var);
  if (f->vars.empty()) return false;
  f->evaluate = [op, fa, fb](const std::function<int64_t(Var)>& at) {
    return foldScalars(op, fa->evaluate(at), fb->evaluate(at));
  };
  result = Tensor{};
  result.type =
      isComparisonOp(op) || op == BinaryOp::And || op == BinaryOp::Or ? DType::Bool : DType::I32;
  result.function = f;
  return true;
}

std::optional<ValueRange> rangeOfBinary(BinaryOp op, const Tensor& a, const Tensor& b) {
  if (isFloat(a.type) || isFloat(b.type)) return std::nullopt;
  auto cb = b.constant();
  if (op == BinaryOp::Modulo && cb && *cb > 0) {
    return ValueRange{0, *cb};
  }
  if (!a.range || !b.range) return std::nullopt;
  try {
    const ValueRange &x = *a.range, &y = *b.range;
    switch (op) {
      case BinaryOp::Add:
        return ValueRange{x.lo + y.lo, x.hi + y.hi - 1};
      case BinaryOp::Subtract:
        return ValueRange{x.lo - y.hi + 1, x.hi - y.lo};
      case BinaryOp::Multiply: {
        auto scale = [](const ValueRange& r, int64_t c) {
          return c >= 0 ? ValueRange{r.lo * c, (r.hi - 1) * c + 1}
                        : ValueRange{(r.hi - 1) * c, r.lo * c + 1};
        };
        if (cb) return scale(x, *cb);
        if (auto ca = a.constant()) return scale(y, *ca);
        return std::nullopt;
      }
      case BinaryOp::FloorDivide:
        if (!cb || *cb <= 0) return std::nullopt;
        return ValueRange{IndexExpr::floorDiv(x.lo, *cb), IndexExpr::floorDiv(x.hi - 1, *cb) + 1};
      default:
        return std::nullopt;
    }
  } catch (const polyhedral::IndexOverflow&) {
    return std::nullopt;
  }
}

}  // namespace rlc::sema
