#include "jit/native/nan_watch.h"

#include <algorithm>
#include <cmath>

#include "jit/native/host_values.h"

namespace rlc::native {

namespace {

void collectOrder(const std::vector<schedule::ScheduleNodePtr>& nodes, std::vector<int>& order) {
  for (const auto& node : nodes) {
    if (node->kind == schedule::ScheduleNode::Kind::Statement) order.push_back(node->statement);
    order.insert(order.end(), node->statements.begin(), node->statements.end());
    collectOrder(node->children, order);
  }
}

bool bufferHoldsNan(const loops::Buffer& buffer, const ArenaView& arena) {
  const auto size = static_cast<int64_t>(byteSize(buffer.type));
  const std::byte* elements = arena.bytes({buffer.offset, buffer.elements * size});
  for (int64_t k = 0; k < buffer.elements; ++k)
    if (std::isnan(loadScalar(buffer.type, elements + k * size).f)) return true;
  return false;
}

}  // namespace

std::optional<std::string> firstTensorWithNan(const pdg::Graph& graph, const schedule::Statements& statements,
                                              const schedule::Schedule& schedule, const loops::Lowered& lowered,
                                              const ArenaView& arena) {
  std::vector<int> order;
  collectOrder(schedule.roots, order);
  for (int s : order) {
    const pdg::NodeId id = statements.list[static_cast<size_t>(s)].node;
    if (id < 0 || graph.node(id).name.empty() || lowered.bufferOf[static_cast<size_t>(id)] < 0) continue;
    const loops::Buffer& buffer = lowered.program.buffers[static_cast<size_t>(lowered.bufferOf[static_cast<size_t>(id)])];
    if (buffer.kind == loops::Buffer::Kind::Arena && isFloat(buffer.type) && bufferHoldsNan(buffer, arena))
      return graph.node(id).name;
  }
  return std::nullopt;
}

bool containsNan(const DenseTensor& value) {
  return isFloat(value.type) &&
         std::any_of(value.elements.begin(), value.elements.end(), [](const Scalar& s) { return std::isnan(s.f); });
}

}  // namespace rlc::native
