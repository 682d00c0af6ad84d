// How the range of a reduction over one variable moves from one point of a dim to the next.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::passes {

struct RangeMotion {
  pdg::Var along;
  int step = 1;              // +1: compared with the next point of `along`; -1: with the one before
  pdg::Set recurring, base;  // the points that have such a neighbour, and the others
  pdg::Set gained, lost, common;  // over the dims, then the bound variable, at recurring points:
                                  // in its own range only, in the neighbour's only, in both
};

// `points`: over the dims. `range`: over the dims, then the bound variable.
RangeMotion rangeMotion(const pdg::Set& points, const pdg::Set& range, pdg::Var along, int step);

// { x : x with `along` moved by `step` is in the set }
pdg::Set movedBy(const pdg::Set& set, pdg::Var along, int step);

// The bound variable's bounds, upper exclusive, as functions of the dims; nothing where isl needs
// cases, or there are none.
struct RangeBounds {
  pdg::IndexExpr lo, hi;
};
std::optional<RangeBounds> rangeBounds(const pdg::Set& range);

}  // namespace rlc::passes
