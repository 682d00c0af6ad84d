// Transcendental functions shared by the interpreter, the code generator and the GPU: one formula
// each, a template over the number type (math_ops.h says which operations a type must have),
// without data-dependent branches, so that every target computes the same bits. `exp<F32>(x)`,
// `exp<F64>(x)`: the precision is always named.
//
// Largest error in ulp of the result, f32 / f64, over all finite arguments (tested against long
// double):
//   exp 1.1   expm1 2   log 1   log1p 1.5   sin, cos 1.6   tan 3.5 / 3   asin 1.6 / 1.5   acos 1.5
//   atan, atan2 2   sinh 3   cosh 2   tanh 5 / 3   sigmoid 2.5   softplus 2.5   erf 2
//   pow 0.52 / 1.2
//   lgamma, digamma: f32 1 for positive arguments; f64 32 and 8 ulp of max(1, |result|), as they
//   have zeros.
//
// Special values are those of C99's functions of the same name. Denormals are kept: targets must
// not flush them.
#pragma once

#include "compiler/types/scalar_op.h"
#include "jit/runtime/math_exp.h"
#include "jit/runtime/math_log.h"
#include "jit/runtime/math_pow.h"
#include "jit/runtime/math_special.h"
#include "jit/runtime/math_trig.h"
#include "jit/runtime/math_trig_inverse.h"

namespace rlc::runtime::math {

// Whether `op` on floats is computed by a formula of this library (Pow included; Sqrt is an IEEE
// operation).
bool isTranscendental(ScalarOp op);

// `op` of x (and y, where it takes two operands), for an op that isTranscendental.
template <class P, class F>
F transcendental(ScalarOp op, F x, F y) {
  switch (op) {
    case ScalarOp::Pow:
      return pow<P>(x, y);
    case ScalarOp::Exp:
      return exp<P>(x);
    case ScalarOp::Expm1:
      return expm1<P>(x);
    case ScalarOp::Log:
      return log<P>(x);
    case ScalarOp::Log1p:
      return log1p<P>(x);
    case ScalarOp::Sin:
      return sin<P>(x);
    case ScalarOp::Cos:
      return cos<P>(x);
    case ScalarOp::SinSmall:
      return sinSmall<P>(x);
    case ScalarOp::CosSmall:
      return cosSmall<P>(x);
    case ScalarOp::Tan:
      return tan<P>(x);
    case ScalarOp::Asin:
      return asin<P>(x);
    case ScalarOp::Acos:
      return acos<P>(x);
    case ScalarOp::Atan:
      return atan<P>(x);
    case ScalarOp::Atan2:
      return atan2<P>(x, y);
    case ScalarOp::Sinh:
      return sinh<P>(x);
    case ScalarOp::Cosh:
      return cosh<P>(x);
    case ScalarOp::Tanh:
      return tanh<P>(x);
    case ScalarOp::Sigmoid:
      return sigmoid<P>(x);
    case ScalarOp::Softplus:
      return softplus<P>(x);
    case ScalarOp::Erf:
      return erf<P>(x);
    case ScalarOp::Lgamma:
      return lgamma<P>(x);
    case ScalarOp::Digamma:
      return digamma<P>(x);
    default:
      return x;
  }
}

// For the interpreter: compiled once, in math.cpp.
float transcendental(ScalarOp op, float x, float y = 0.0f);
double transcendental(ScalarOp op, double x, double y = 0.0);

}  // namespace rlc::runtime::math
