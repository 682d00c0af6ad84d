// Recognizing sums of outer products over lanes (weight gradients):
//   for m: for k: buffer[row(m) + k] += a(lane, m) * b(lane, k)
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct OuterProduct {
  const loops::Stmt* rows = nullptr;     // the loop over m
  const loops::Stmt* columns = nullptr;  // the loop over k
  const loops::Stmt* accumulate = nullptr;
  loops::Expr index, a,
      b;  // lets inside the loops are inlined; a does not mention k, b does not mention m
  int64_t rowCount = 0, columnCount = 0;
};

// `loop`: a sequential loop inside a Lanes loop. `isVarying` tells whether an expression differs
// between lanes.
std::optional<OuterProduct> matchOuterProduct(
    const loops::Program& program, const loops::Stmt& loop,
    const std::function<bool(const loops::Expr&)>& isVarying);

}  // namespace rlc::cpu
