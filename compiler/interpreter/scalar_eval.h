// The scalar operations, each computed in its own type: the oracle for what compiled code computes.
#pragma once

#include <string>

#include "compiler/diagnostics/kinds.h"
#include "compiler/interpreter/cell.h"
#include "compiler/types/scalar_op.h"

namespace rlc::interpreter {

// A fault without its place; the evaluation adds that.
struct ScalarFault {
  diagnostics::Kind kind;
  std::string message;
};

// op(args) with operands of type `operand` (Select: of operands 1 and 2). Throws ScalarFault.
Cell evalScalar(ScalarOp op, DType operand, DType result, const Cell* args);

Cell castCell(DType from, DType to, Cell value);  // throws ScalarFault where it does not fit
Cell roundTo(DType type, double value);           // a float type: rounds; an integer: wraps
bool lessCell(DType type, Cell a, Cell b);        // NaN is less than nothing
bool isNan(DType type, Cell value);
double asDouble(DType type, Cell value);

}  // namespace rlc::interpreter
