// Large matrix products as calls of their own, for a library that is made for them.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::gpu {

// The factors of sum + a * b, which bf16 has as two operations.
std::optional<std::array<loops::Expr, 2>> factorsOf(const loops::Expr& e, loops::VarId sum);

// Nests over rows and columns, in any order, that begin with a sum of products along a third loop
// become a call of Function::Product, of at least `work` multiplications, and a nest that goes on
// from its results, where `library` says that something can run the call. It is asked only where
// there is a product.
loops::Program extractProducts(const loops::Program& program, double work,
                               const std::function<bool()>& library);

}  // namespace rlc::gpu
