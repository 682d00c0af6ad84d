#include "compiler/types/scalar_op.h"

#include <iterator>

namespace rlc {

namespace {

struct OpInfo {
  std::string_view name;
  int arity;
};

// In the order of ScalarOp.
constexpr OpInfo kOps[] = {
    {"add", 2},   {"sub", 2},    {"mul", 2},     {"div", 2},       {"floor_div", 2},
    {"mod", 2},   {"pow", 2},    {"neg", 1},     {"abs", 1},       {"sign", 1},
    {"min", 2},   {"max", 2},    {"floor", 1},   {"ceil", 1},      {"round", 1},
    {"trunc", 1}, {"exp", 1},    {"expm1", 1},   {"log", 1},       {"log1p", 1},
    {"sqrt", 1},  {"sin", 1},    {"cos", 1},     {"sin_small", 1}, {"cos_small", 1},
    {"tan", 1},   {"asin", 1},   {"acos", 1},    {"atan", 1},      {"atan2", 2},
    {"sinh", 1},  {"cosh", 1},   {"tanh", 1},    {"sigmoid", 1},   {"softplus", 1},
    {"erf", 1},   {"lgamma", 1}, {"digamma", 1}, {"lt", 2},        {"le", 2},
    {"eq", 2},    {"ne", 2},     {"isnan", 1},   {"isinf", 1},     {"isfinite", 1},
    {"and", 2},   {"or", 2},     {"not", 1},     {"select", 3},    {"cast", 1},
};
static_assert(std::size(kOps) == static_cast<size_t>(ScalarOp::Cast) + 1);

}  // namespace

int arity(ScalarOp op) { return kOps[static_cast<size_t>(op)].arity; }

std::string_view name(ScalarOp op) { return kOps[static_cast<size_t>(op)].name; }

bool isComparison(ScalarOp op) { return op >= ScalarOp::Lt && op <= ScalarOp::Ne; }

bool isTranscendental(ScalarOp op) { return op >= ScalarOp::Exp && op <= ScalarOp::Digamma; }

bool mayFault(ScalarOp op, DType operand, DType result) {
  switch (op) {
    case ScalarOp::FloorDiv:
    case ScalarOp::Mod:
      return !isFloat(operand);
    case ScalarOp::Cast:
      if (!isInteger(result)) return false;
      if (isFloat(operand)) return true;
      return operand != DType::Bool && operand > result;  // narrowing; U8 < I32 < I64
    default:
      return false;
  }
}

}  // namespace rlc
