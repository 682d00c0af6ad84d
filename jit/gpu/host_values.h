// Expressions of the loop IR that the host evaluates: bounds, conditions and coordinates of its own
// steps.
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::gpu {

// Where the host finds what expressions mention; both may give nothing.
struct HostScope {
  std::function<std::optional<int64_t>(loops::VarId)> variable;
  std::function<std::optional<int64_t>(loops::BufferId, int64_t index)> element;
};

// Bool, I32 and I64 expressions; nothing where one of the parts is not known.
std::optional<int64_t> evaluate(const loops::Expr& e, const HostScope& scope);

}  // namespace rlc::gpu
