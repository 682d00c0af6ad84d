// Layers of few lanes: vectors of units.
//
//   lanes i in 0..4: for t: for j: acc = 0; for l: acc = fma(W[j * n + l], x[l], acc)
//                           y[j] = tanh(acc + c[j])
// Four lanes leave three quarters of a register empty. Where the j are many, a vector holds the
// sums of neighbouring j of one lane, and all lanes share what is loaded of W. For that neighbours
// have to lie side by side: where they do not, W is packed once, in front of the lanes,
//   packed[l * m + j] = W[j * n + l]
// Each sum adds the same numbers in the same order, so its bits are the same.
#pragma once

#include <optional>
#include <vector>

#include "jit/cpu/tile.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

// An expression that units of one lane compute side by side, and what it takes for that.
struct UnitExpr {
  Expr e;
  std::vector<Expr> shared;  // the largest parts that are the same for all units
  std::vector<Expr> loads;   // of elements by unit
};

// A loop whose iterations, the units, are a sum each, which is stored.
struct UnitLoop {
  VarId unit = -1;
  const Stmt* declare = nullptr;   // of the sum
  std::vector<const Stmt*> along;  // the sum's loops, outermost first
  const Stmt* assign = nullptr;
  UnitExpr step;  // what the sum becomes
  const Stmt* store = nullptr;
  Expr index;  // where: one further for each unit
  UnitExpr value;
};

// Whether the loop is one, by its shape: lanes may still differ where they must not.
std::optional<UnitLoop> unitLoop(const Program& program, const Stmt& loop);

// How many units a vector has, of `trip` in all.
int64_t unitsOfVector(int vectorBytes, int64_t trip);

// Marks such loops (Stmt::units) where lanes are few, and packs what they need packed.
void vectorizeUnits(Program& program, const TileOptions& options);

}  // namespace rlc::cpu
