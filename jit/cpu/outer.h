// Recognizing sums of outer products over lanes (weight gradients):
//   for m: for k: buffer[row(m) + k] += a(lane, m) * b(lane, k)
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/loops/ir.h"
#include "compiler/loops/renaming.h"

namespace rlc::cpu {

struct OuterProduct {
  const loops::Stmt* rows = nullptr;     // the loop over m
  const loops::Stmt* columns = nullptr;  // the loop over k
  const loops::Stmt* accumulate = nullptr;
  loops::Expr index, a,
      b;  // lets inside the loops are inlined; a does not mention k, b does not mention m
  int64_t rowCount = 0, columnCount = 0;
};

// The one statement after the block's lets, which go into `inlined`; null: there are others.
const loops::Stmt* onlyStatement(const loops::Block& block, loops::Renaming& inlined);
// Whether it is a loop, no parallel one, whose trip count is known.
bool isCountedLoop(const loops::Stmt* stmt);

// Whether it adds to f32 of the arena, or of what all lanes of a thread share; null does not.
bool isSharedSum(const loops::Program& program, const loops::Stmt* stmt);
// Whether a value may be computed in another order, and before `buffer` changes.
bool isPure(const loops::Program& program, const loops::Expr& value, loops::BufferId buffer);

// What an expression is the product of, in order, and back: of one factor at least.
void collectFactors(const loops::Expr& e, std::vector<loops::Expr>& factors);
loops::Expr product(const std::vector<loops::Expr>& factors);

// `loop`: a sequential loop inside a Lanes loop. `isVarying` tells whether an expression differs
// between lanes.
std::optional<OuterProduct> matchOuterProduct(
    const loops::Program& program, const loops::Stmt& loop,
    const std::function<bool(const loops::Expr&)>& isVarying);

}  // namespace rlc::cpu
