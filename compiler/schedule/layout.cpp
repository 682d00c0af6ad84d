#include "compiler/schedule/layout.h"

namespace rlc::schedule {

namespace {

// How many writes and reads of the node are in lanes that run over its dim `k`.
int touchesInLanes(const pdg::Node& node, size_t k, const Statements& statements,
                   const Schedule& schedule, const std::vector<Reader>& readers) {
  int count = 0;
  const auto countIf = [&](int statement, Var var) {
    const Placed& placed = schedule.placed[static_cast<size_t>(statement)];
    const auto depth = depthScanning(placed, var);
    count += depth && isLanes(*placed.loops[*depth]);
  };
  for (int writer : statements.writers[static_cast<size_t>(node.id)]) countIf(writer, node.dims[k]);
  for (const Reader& reader : readers)
    if (const auto shifted = reader.access->at[k].asShifted())
      countIf(reader.statement, shifted->var);
  return count;
}

}  // namespace

std::optional<size_t> depthScanning(const Placed& placed, Var var) {
  for (size_t k = 0; k < placed.scanned.size(); ++k)
    if (placed.scanned[k] == var) return k;
  return std::nullopt;
}

void layOut(const pdg::Node& node, const Statements& statements, const Schedule& schedule,
            const std::vector<Reader>& readers, Storage& storage) {
  std::optional<size_t> innermost;
  int most = 1;
  const bool contiguous = isRewrittenTree(statements, node.id) ||
                          std::holds_alternative<pdg::TreeUpdate>(node.op);  // for the runtime
  for (size_t k = 0; k < node.dims.size(); ++k) {
    if (contiguous || storage.dims[k].lane) continue;
    const int count = touchesInLanes(node, k, statements, schedule, readers);
    if (count < most) continue;
    most = count;
    innermost = k;
  }
  int64_t stride = 1;
  if (innermost) {
    storage.dims[*innermost].stride = stride;
    stride *= storage.dims[*innermost].extent;
  }
  storage.elementStride.resize(node.shape.size());
  for (size_t k = node.shape.size(); k-- > 0;) {
    storage.elementStride[k] = stride;
    stride *= storage.elementExtent[k];
  }
  for (size_t k = node.dims.size(); k-- > 0;) {
    if (innermost == k || storage.dims[k].lane) continue;
    storage.dims[k].stride = stride;
    stride *= storage.dims[k].extent;
  }
  storage.elements = stride;
}

}  // namespace rlc::schedule
