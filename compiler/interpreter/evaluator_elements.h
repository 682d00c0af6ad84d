// Walks the elements of a node's value at a point.
#pragma once

#include "compiler/interpreter/compiled_node.h"

namespace rlc::interpreter {

// visit(offset of the element in the node's cells), row-major, with the element's position in
// `vars`.
template <typename Visit>
void forEachElement(const CompiledNode& node, int64_t* vars, const int64_t* extents,
                    const Visit& visit) {
  if (node.axes == 0) return visit(0);
  for (int axis = 0; axis < node.axes; ++axis) {
    if (extents[axis] <= 0) return;
    vars[node.elementSlot(axis)] = 0;
  }
  for (;;) {
    int64_t offset = 0;
    for (int axis = 0; axis < node.axes; ++axis)
      offset += vars[node.elementSlot(axis)] * node.strides[static_cast<size_t>(axis)];
    visit(offset);
    int axis = node.axes - 1;
    while (axis >= 0 && ++vars[node.elementSlot(axis)] >= extents[axis])
      vars[node.elementSlot(axis--)] = 0;
    if (axis < 0) return;
  }
}

}  // namespace rlc::interpreter
