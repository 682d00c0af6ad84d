#include "jit/runtime/math.h"

namespace rlc::runtime::math {

bool isTranscendental(ScalarOp op) {
  switch (op) {
    case ScalarOp::Pow:
    case ScalarOp::Exp:
    case ScalarOp::Expm1:
    case ScalarOp::Log:
    case ScalarOp::Log1p:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::SinSmall:
    case ScalarOp::CosSmall:
    case ScalarOp::Tan:
    case ScalarOp::Asin:
    case ScalarOp::Acos:
    case ScalarOp::Atan:
    case ScalarOp::Atan2:
    case ScalarOp::Sinh:
    case ScalarOp::Cosh:
    case ScalarOp::Tanh:
    case ScalarOp::Sigmoid:
    case ScalarOp::Softplus:
    case ScalarOp::Erf:
    case ScalarOp::Lgamma:
    case ScalarOp::Digamma:
      return true;
    default:
      return false;
  }
}

float transcendental(ScalarOp op, float x, float y) { return transcendental<F32, float>(op, x, y); }
double transcendental(ScalarOp op, double x, double y) {
  return transcendental<F64, double>(op, x, y);
}

}  // namespace rlc::runtime::math
