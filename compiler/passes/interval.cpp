#include "compiler/passes/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rlc::passes {

namespace {

// More than a rounding to the type, or a formula's error, moves a number, relative to it.
double slack(DType type) {
  switch (type) {
    case DType::F64:
      return 0x1p-40;
    case DType::F32:
      return 0x1p-18;
    case DType::BF16:
      return 0x1p-6;
    default:
      return 0;
  }
}

// Integers wrap where they don't fit, floats become infinite.
Interval rounded(DType type, Interval x) {
  if (std::isnan(x.lo) || std::isnan(x.hi)) return Interval::all();  // inf - inf
  if (isFloat(type)) {
    constexpr double smallest = 0x1p-126;  // f32's and bf16's; f64's is smaller
    const double by = slack(type), largest = type == DType::F64 ? 0x1p1023 : 0x1p127;
    if (!std::isinf(x.lo)) x.lo -= std::abs(x.lo) * by + smallest;
    if (!std::isinf(x.hi)) x.hi += std::abs(x.hi) * by + smallest;
    if (x.lo < -largest) x.lo = Interval::all().lo;
    if (x.hi > largest) x.hi = Interval::all().hi;
    return x;
  }
  const double most = type == DType::U8 ? 255 : type == DType::I32 ? 0x1p31 - 1 : 0x1p52;
  const bool fits = x.hi <= most && x.lo >= (type == DType::U8 ? 0 : -most);
  return fits ? x : Interval::all();
}

double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval hull(std::initializer_list<double> values) {
  const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
  return {*lo, *hi};
}

Interval magnitude(Interval a) {
  if (a.lo >= 0) return a;
  return {a.hi <= 0 ? -a.hi : 0, std::max(-a.lo, a.hi)};
}

Interval quotient(Interval a, Interval b) {
  if (b.lo <= 0 && b.hi >= 0) return Interval::all();
  const auto over = [](double x, double y) { return std::isinf(y) ? 0 : x / y; };
  return hull({over(a.lo, b.lo), over(a.lo, b.hi), over(a.hi, b.lo), over(a.hi, b.hi)});
}

}  // namespace

Interval unite(Interval a, Interval b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval intersect(Interval a, Interval b) {
  if (a.empty() || b.empty()) return {};
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.empty() ? Interval{} : both;
}

Interval exactly(const Scalar& value) {
  const double x = value.asDouble();
  if (std::isnan(x)) return {};
  return isFloat(value.type) ? Interval{x, x} : rounded(value.type, {x, x});
}

Interval apply(ScalarOp op, DType operand, DType result, Interval a, Interval b) {
  // Of what is never a number these make one all the same.
  if (result == DType::Bool) return {0, 1};
  if (op == ScalarOp::Pow) return Interval::all();
  if (a.empty() || (arity(op) > 1 && b.empty())) return {};
  const auto monotone = [&](double (*f)(double)) {
    return rounded(result, Interval{f(a.lo), f(a.hi)});
  };
  switch (op) {
    case ScalarOp::Add:
      return rounded(result, {a.lo + b.lo, a.hi + b.hi});
    case ScalarOp::Sub:
      return rounded(result, {a.lo - b.hi, a.hi - b.lo});
    case ScalarOp::Mul:
      return rounded(result, hull({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo),
                                   times(a.hi, b.hi)}));
    case ScalarOp::Div:
      return isFloat(operand) ? rounded(result, quotient(a, b)) : Interval::all();
    case ScalarOp::Mod:  // has the divisor's sign
      if (b.lo > 0) return rounded(result, {0, b.hi});
      return Interval::all();
    case ScalarOp::Neg:
      return rounded(result, {-a.hi, -a.lo});
    case ScalarOp::Abs:
      return rounded(result, magnitude(a));
    case ScalarOp::Min:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case ScalarOp::Max:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case ScalarOp::Floor:
      return monotone(std::floor);
    case ScalarOp::Ceil:
      return monotone(std::ceil);
    case ScalarOp::Round:
      return monotone(std::nearbyint);
    case ScalarOp::Trunc:
      return monotone(std::trunc);
    case ScalarOp::Exp:
      return monotone(std::exp);
    case ScalarOp::Sqrt:
      return rounded(result, {std::sqrt(std::max(a.lo, 0.0)), std::sqrt(std::max(a.hi, 0.0))});
    case ScalarOp::Sign:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::SinSmall:
    case ScalarOp::CosSmall:
    case ScalarOp::Tanh:
    case ScalarOp::Erf:
      return rounded(result, {-1, 1});
    case ScalarOp::Asin:
    case ScalarOp::Atan:
      return rounded(result, {-std::numbers::pi / 2, std::numbers::pi / 2});
    case ScalarOp::Acos:
    case ScalarOp::Atan2:
      return rounded(result, {-std::numbers::pi, std::numbers::pi});
    case ScalarOp::Sigmoid:
      return rounded(result, {0, 1});
    case ScalarOp::Softplus:
      return {0, Interval::all().hi};
    case ScalarOp::Cast:
      if (isFloat(operand) && !isFloat(result)) return monotone(std::trunc);
      return rounded(result, a);
    default:
      return Interval::all();
  }
}

}  // namespace rlc::passes
