// The plain data of a lowered program that its runs need (jit/host/plan.h).
#pragma once

#include "compiler/loops/lower.h"
#include "jit/host/plan.h"

namespace rlc::native {

host::Plan hostPlan(const pdg::Graph& graph, const loops::Lowered& lowered);

}  // namespace rlc::native
