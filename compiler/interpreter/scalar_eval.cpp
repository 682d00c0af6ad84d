#include "compiler/interpreter/scalar_eval.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "compiler/diagnostics/internal_error.h"
#include "jit/runtime/math.h"

namespace rlc::interpreter {

double asDouble(DType type, Cell value) {
  return isFloat(type) ? value.f : static_cast<double>(value.i);
}

bool isNan(DType type, Cell value) { return isFloat(type) && std::isnan(value.f); }

bool lessCell(DType type, Cell a, Cell b) { return isFloat(type) ? a.f < b.f : a.i < b.i; }

Cell roundTo(DType type, double value) { return toCell(Scalar::ofFloat(type, value)); }

namespace {

using diagnostics::Kind;

Cell wrap(DType type, int64_t value) { return intCell(Scalar::ofInt(type, value).i); }

// Wrapping arithmetic without signed overflow.
int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t sub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t floorDiv(int64_t a, int64_t b) {
  if (b == 0) throw ScalarFault{Kind::DivisionByZero, "integer division by zero"};
  if (b == -1) return sub(0, a);
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t floorMod(int64_t a, int64_t b) {
  if (b == 0) throw ScalarFault{Kind::DivisionByZero, "integer division by zero"};
  if (b == -1) return 0;
  const int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// By squaring, wrapping; a negative exponent truncates the reciprocal.
int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1, base = mul(base, base))
    if (exponent & 1) result = mul(result, base);
  return result;
}

// As NumPy's floor_divide and mod: exact where a and b are.
template <typename T>
T floorMod(T a, T b) {
  T mod = std::fmod(a, b);
  if (b == 0) return mod;
  if (mod == 0) return std::copysign(T(0), b);
  return (b < 0) != (mod < 0) ? mod + b : mod;
}

template <typename T>
T floorDiv(T a, T b) {
  if (b == 0) return a / b;
  const T mod = std::fmod(a, b);
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
  if (div == 0) return std::copysign(T(0), a / b);
  const T floored = std::floor(div);
  return div - floored > T(0.5) ? floored + 1 : floored;
}

// In T. Transcendental operations have one definition for every target, so that comparisons of
// their results agree, too.
template <typename T>
double floatOp(ScalarOp op, const Cell* args) {
  const T a = static_cast<T>(args[0].f);
  const T b = arity(op) > 1 ? static_cast<T>(args[1].f) : T(0);
  switch (op) {
    case ScalarOp::Add:
      return a + b;
    case ScalarOp::Sub:
      return a - b;
    case ScalarOp::Mul:
      return a * b;
    case ScalarOp::Div:
      return a / b;
    case ScalarOp::FloorDiv:
      return floorDiv(a, b);
    case ScalarOp::Mod:
      return floorMod(a, b);
    case ScalarOp::Neg:
      return -a;
    case ScalarOp::Abs:
      return std::fabs(a);
    case ScalarOp::Sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case ScalarOp::Min:
      return minimum(a, b);
    case ScalarOp::Max:
      return maximum(a, b);
    case ScalarOp::Floor:
      return std::floor(a);
    case ScalarOp::Ceil:
      return std::ceil(a);
    case ScalarOp::Round:
      return std::nearbyint(a);
    case ScalarOp::Trunc:
      return std::trunc(a);
    case ScalarOp::Sqrt:
      return std::sqrt(a);
    default:
      break;
  }
  if (runtime::math::isTranscendental(op)) return runtime::math::transcendental(op, a, b);
  throw InternalError("not an operation on floats: " + std::string(name(op)));
}

int64_t integerOp(ScalarOp op, int64_t a, int64_t b) {
  switch (op) {
    case ScalarOp::Add:
      return add(a, b);
    case ScalarOp::Sub:
      return sub(a, b);
    case ScalarOp::Mul:
      return mul(a, b);
    case ScalarOp::FloorDiv:
      return floorDiv(a, b);
    case ScalarOp::Mod:
      return floorMod(a, b);
    case ScalarOp::Pow:
      return power(a, b);
    case ScalarOp::Neg:
      return sub(0, a);
    case ScalarOp::Abs:
      return a < 0 ? sub(0, a) : a;
    case ScalarOp::Sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case ScalarOp::Min:
      return b < a ? b : a;
    case ScalarOp::Max:
      return a < b ? b : a;
    default:
      throw InternalError("not an operation on integers: " + std::string(name(op)));
  }
}

bool testOp(ScalarOp op, DType operand, const Cell* args) {
  const Cell a = args[0], b = args[arity(op) > 1 ? 1 : 0];
  switch (op) {
    case ScalarOp::Lt:
      return lessCell(operand, a, b);
    case ScalarOp::Le:
      return isFloat(operand) ? a.f <= b.f : a.i <= b.i;
    case ScalarOp::Eq:
      return isFloat(operand) ? a.f == b.f : a.i == b.i;
    case ScalarOp::Ne:
      return isFloat(operand) ? a.f != b.f : a.i != b.i;
    case ScalarOp::IsNan:
      return std::isnan(a.f);
    case ScalarOp::IsInf:
      return std::isinf(a.f);
    case ScalarOp::IsFinite:
      return std::isfinite(a.f);
    case ScalarOp::And:
      return a.i && b.i;
    case ScalarOp::Or:
      return a.i || b.i;
    case ScalarOp::Not:
      return !a.i;
    default:
      throw InternalError("not a test: " + std::string(name(op)));
  }
}

std::string misfit(const std::string& value, DType to) {
  return "the value " + value + " does not fit in " + std::string(name(to));
}

std::string shortest(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

Cell castCell(DType from, DType to, Cell value) {
  if (to == DType::Bool) return intCell(isFloat(from) ? value.f != 0.0 : value.i != 0);
  if (isFloat(to)) {
    if (isFloat(from)) return roundTo(to, value.f);
    // Straight from the integer, so that i64 rounds once.
    if (to == DType::F64) return floatCell(static_cast<double>(value.i));
    return roundTo(to, static_cast<double>(static_cast<float>(value.i)));
  }
  if (isFloat(from)) {
    const std::optional<int64_t> whole = truncatedTo(to, value.f);
    if (!whole) throw ScalarFault{Kind::ConversionFault, misfit(shortest(value.f), to)};
    return intCell(*whole);
  }
  if (!fits(to, value.i))
    throw ScalarFault{Kind::ConversionFault, misfit(std::to_string(value.i), to)};
  return value;
}

Cell evalScalar(ScalarOp op, DType operand, DType result, const Cell* args) {
  if (op == ScalarOp::Select) return args[0].i ? args[1] : args[2];
  if (op == ScalarOp::Cast) return castCell(operand, result, args[0]);
  if (op >= ScalarOp::Lt && op <= ScalarOp::Not) return intCell(testOp(op, operand, args));
  switch (operand) {
    case DType::Bool:
    case DType::U8:
    case DType::I32:
    case DType::I64:
      return wrap(operand, integerOp(op, args[0].i, args[arity(op) > 1 ? 1 : 0].i));
    case DType::BF16:
    case DType::F32:
      return roundTo(operand, floatOp<float>(op, args));
    case DType::F64:
      return floatCell(floatOp<double>(op, args));
  }
  throw InternalError("an unknown element type");
}

}  // namespace rlc::interpreter
