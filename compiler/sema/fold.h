// Compile-time arithmetic on what is known of scalars: index expressions, conditions, float
// constants.
#pragma once

#include "compiler/sema/value.h"

namespace rlc::sema {

// False: nothing is known of the result. Params are the caller's.
bool foldBinary(syntax::BinaryOp op, const Tensor& a, const Tensor& b, Tensor& result);
std::optional<ValueRange> rangeOfBinary(syntax::BinaryOp op, const Tensor& a, const Tensor& b);
std::shared_ptr<const PointFunction> negated(const std::shared_ptr<const PointFunction>& f);
// The value as a function of the point, whatever form it is known in; null: data.
std::shared_ptr<const PointFunction> pointFunction(const Tensor& t);

}  // namespace rlc::sema
