// Draws of which only `shift + scale * draw` is used, such as uniform numbers of a range: where few
// lanes draw, only these few are scaled.
#pragma once

#include <optional>
#include <set>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct ScaledDraw {
  const loops::ExprNode* draw = nullptr;  // F32
  Scalar scale, shift;
};

// The expression as that.
std::optional<ScaledDraw> scaledDraw(const loops::ExprNode& e);

// The streams whose draws all stand in that form, with the same numbers.
std::set<uint64_t> scaledStreams(const loops::Program& program);

}  // namespace rlc::cpu
