// Recognizing sums over lanes of elements that lie side by side, such as gradients by biases:
//   for m: buffer[first + m] += f(lane, m)
// or, where rows are short, of all rows of a small matrix:
//   for m: for k: buffer[first + m * columns + k] += a(lane, m) * b(lane, k)
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/ir.h"
#include "jit/cpu/outer.h"

namespace rlc::cpu {

struct RowSums {
  const loops::Stmt* rows = nullptr;     // the loop over m
  const loops::Stmt* columns = nullptr;  // that over k; null: none
  const loops::Stmt* accumulate = nullptr;
  loops::Expr index, value;  // lets inside the loops are inlined
  loops::Expr ofColumn;      // what value is multiplied by at each k, the same in all rows; or null
  int64_t count = 0;         // of all elements
  int64_t columnCount = 1;   // a power of two
};

// `loop`: a sequential loop inside a Lanes loop, `length` the lanes of a vector register, whose
// elements are summed together. `isVarying` tells whether an expression differs between lanes.
std::optional<RowSums> matchRowSums(const loops::Program& program, const loops::Stmt& loop,
                                    int64_t length,
                                    const std::function<bool(const loops::Expr&)>& isVarying);

// Whether the sums of an outer product are such elements, and faster so than by rows and columns.
std::optional<RowSums> asRowSums(const OuterProduct& product, int64_t length);

}  // namespace rlc::cpu
