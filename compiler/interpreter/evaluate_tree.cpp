// Sum trees, the long way: an update computes every node anew, so that what native code keeps up to
// date is compared with what the leaves say.
#include <algorithm>
#include <string>

#include "compiler/interpreter/evaluator.h"
#include "compiler/interpreter/evaluator_elements.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::interpreter {

void Evaluator::evaluateTreeUpdate(CompiledNode& node, const pdg::TreeUpdate& update, Cell* out) {
  bool ready = true;
  forEachElement(node, vars_.data(), extents_.data(),
                 [&](int64_t e) { ready = fetch(node, 0, out[e]) && ready; });
  const runtime::SumTreeLayout layout(update.tree.capacity, update.tree.fanout);
  for (int64_t k = 0; k < update.entries; ++k) {
    vars_[static_cast<size_t>(node.boundSlot(0))] = k;
    Cell position, priority;
    const bool known = fetch(node, 1, position);
    if (!fetch(node, 2, priority) || !known) {
      ready = false;
      continue;
    }
    if (position.i < 0 || position.i >= layout.capacity)
      fault(node, diagnostics::Kind::SubscriptFault,
            "the position " + std::to_string(position.i) + " is outside of a tree of capacity " +
                std::to_string(layout.capacity));
    const float value = runtime::sanitizedPriority(static_cast<float>(priority.f));
    out[layout.leafSlot(position.i)] = floatCell(static_cast<double>(value));
  }
  if (!ready) return;
  for (int level = 0; level < layout.levels; ++level) {
    const auto& [offset, groups] = layout.level[static_cast<size_t>(level)];
    const bool root = level + 1 == layout.levels;
    for (int64_t group = 0; group < groups; ++group) {
      float sum = 0.0f;
      for (int k = 0; k < layout.fanout; ++k)
        sum += static_cast<float>(out[offset + group * layout.stride + k].f);
      const int64_t above =
          root ? layout.total
               : layout.level[static_cast<size_t>(level + 1)].offset + layout.leafSlot(group);
      out[above] = floatCell(static_cast<double>(sum));
    }
  }
}

// From the root down: among the children, the first at which their running sum exceeds what is left
// of the target; where rounding has left it beyond them all, the last that is positive.
void Evaluator::evaluateTreeFind(CompiledNode& node, const pdg::TreeFind& find, Cell* out) {
  const runtime::SumTreeLayout layout(find.tree.capacity, find.tree.fanout);
  const auto nodeAt = [&](int64_t slot) {
    vars_[static_cast<size_t>(node.boundSlot(0))] = slot;
    Cell cell = floatCell(0.0);
    fetch(node, 0, cell);
    return static_cast<float>(cell.f);
  };
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
    Cell fraction;
    vars_[static_cast<size_t>(node.boundSlot(0))] = layout.total;
    if (!fetch(node, 1, fraction)) return;
    const float total = nodeAt(layout.total);
    if (!missing_.empty()) return;
    if (!(total > 0.0f))
      fault(node, diagnostics::Kind::DrawFault, "a draw from a tree without a positive priority");
    float target = static_cast<float>(fraction.f) * total;
    int64_t group = 0;
    for (int level = layout.levels; level-- > 0;) {
      const int64_t first = layout.level[static_cast<size_t>(level)].offset + group * layout.stride;
      float running = 0.0f;
      int chosen = -1, last = 0;
      float beforeLast = 0.0f;
      for (int k = 0; k < layout.fanout && chosen < 0; ++k) {
        const float child = nodeAt(first + k);
        if (child > 0.0f) {
          last = k;
          beforeLast = running;
        }
        if (running + child > target)
          chosen = k;
        else
          running += child;
      }
      target -= chosen < 0 ? beforeLast : running;
      // Nodes that are no sums of a tree's may lead anywhere.
      group =
          std::min(group * layout.fanout + (chosen < 0 ? last : chosen), layout.nodesAt(level) - 1);
    }
    out[e] = intCell(group);
  });
}

}  // namespace rlc::interpreter
