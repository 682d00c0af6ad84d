// Scalar operations: what an element-wise Map of the graph and an expression of the loop IR
// compute.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/types/dtype.h"

namespace rlc {

// Operand types are equal unless said otherwise; the result has the operands' type, except
// comparisons, logic and the is-tests (Bool), Select (type of operands 1 and 2) and Cast (any to
// any).
enum class ScalarOp : uint8_t {
  // arithmetic; integers wrap; FloorDiv and Mod round toward minus infinity (floats too); integer
  // division by 0 is a fault
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  Neg,
  Abs,
  Sign,
  Min,
  Max,  // Min, Max propagate NaN, as NumPy's minimum and maximum
  // rounding (floats)
  Floor,
  Ceil,
  Round,
  Trunc,  // Round: half to even
  // transcendental (floats)
  Exp,
  Expm1,
  Log,
  Log1p,
  Sqrt,
  Sin,
  Cos,
  SinSmall,  // sin and cos, to the bit, of what is known to be NaN or no larger than kSmallAngle in
  CosSmall,  // magnitude; made by passes/small_angles
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Sigmoid,
  Softplus,
  Erf,
  Lgamma,
  Digamma,
  // comparison, to Bool
  Lt,
  Le,
  Eq,
  Ne,
  // tests of floats, to Bool
  IsNan,
  IsInf,
  IsFinite,
  // logic on Bool; element-wise, both sides evaluated
  And,
  Or,
  Not,
  Select,  // (Bool condition, then, else)
  Cast,  // float to integer truncates; a value that does not fit in an integer type is a fault; to
         // Bool: != 0
};

// Below pi/4: angles that sin and cos need not reduce.
constexpr double kSmallAngle = 0.78;

int arity(ScalarOp op);
std::string_view name(ScalarOp op);  // "add", "floor_div", ...
bool isComparison(ScalarOp op);
bool isTranscendental(ScalarOp op);  // and square roots
bool mayFault(ScalarOp op, DType operand,
              DType result);  // integer division, casts that may not fit

}  // namespace rlc
