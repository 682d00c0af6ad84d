// Draws that the iteration before can make: those of lanes for which it has set a condition. An
// environment that has ended begins anew in the next step:
//   for t:
//     let over = P; s = select(over, draw(t), s'); ...; P = ends(s)
// `draw(t + 1)` needs nothing but P, and P often little of the iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct EarlyDraws {
  loops::BufferId condition = -1;  // private: whether the lane draws at the next iteration
  loops::Expr draw;  // in its scaled form (scaled_draws.h), of the iteration that it is in
  uint64_t stream = 0;
  // The iteration's statements, in an order in which the condition is stored as early as possible.
  std::vector<const loops::Stmt*> order;
};

// Of a sequential loop inside of lanes. None where the stream's draws have another form than that,
// or the iteration has loops or conditions of its own.
std::optional<EarlyDraws> earlyDraws(const loops::Program& program, const loops::Stmt& loop);

}  // namespace rlc::cpu
