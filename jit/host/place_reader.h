// Reads tensors out of a run's arena.
#pragma once

#include "jit/host/plan.h"
#include "jit/runtime/machine.h"

namespace rlc::host {

// The value at a point of the sink's dims.
DenseTensor readPlace(const Place& place, const Point& at, const runtime::ArenaView& arena);
// The bytes between which it lies.
runtime::ByteRange rangeOf(const Place& place, const Point& at);

// One element in the layout of compiled code.
Scalar loadScalar(DType type, const std::byte* place);
void storeScalar(const Scalar& value, std::byte* place);

}  // namespace rlc::host
