#include "compiler/schedule/layout.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "compiler/schedule/work.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

constexpr int64_t kLineBytes = 64;  // of a cache
// Of a row that is worth writing element by element: a line that is read in place of four.
constexpr int64_t kShortestRow = 16;
// Rows that are so far apart share a quarter of a cache's sets, or less; so many rows fill them.
constexpr int64_t kSameSetsBytes = 1024;
constexpr int64_t kFewestRows = 16;
constexpr int64_t kBlock = 32;  // lanes, at most: rows of whole blocks may be told apart as such

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

// How often a statement runs, at most.
double instancesOf(int statement, const Schedule& schedule) {
  const Placed& placed = schedule.placed[static_cast<size_t>(statement)];
  double instances = 1.0;
  for (size_t k = 0; k < placed.loops.size(); ++k)
    if (placed.scanned[k]) instances *= static_cast<double>(tripCount(*placed.loops[k], schedule));
  return instances;
}

// Whether an instance reads more than one element.
bool readsRow(const Access& access, const Statement& statement) {
  std::vector<Var> inside;
  for (const IndexExpr& position : access.element) position.collectVariables(inside);
  std::erase_if(inside, [&](Var var) { return contains(statement.vars, var); });
  return !inside.empty();
}

// Whether data say most of the time which points of dim `k` are read, several elements of each: a
// batch of replayed images or observations, a record of what is read together. With lanes innermost
// each element would be in a cache line of its own. The writers are parts of one.
bool readByData(const pdg::Node& node, size_t k, const Statements& statements,
                const Schedule& schedule, const std::vector<Reader>& readers,
                const Storage& storage) {
  const int64_t bytes =
      std::accumulate(storage.elementExtent.begin(), storage.elementExtent.end(),
                      static_cast<int64_t>(byteSize(node.type)), std::multiplies<>());
  if (bytes < kShortestRow) return false;
  double inOrder = 0.0, byData = 0.0;
  bool rows = false;
  std::optional<std::vector<IndexExpr>> element;  // of those that read but one
  for (int writer : statements.writers[static_cast<size_t>(node.id)])
    inOrder = std::max(inOrder, instancesOf(writer, schedule));
  for (const Reader& reader : readers) {
    const double instances = instancesOf(reader.statement, schedule);
    if (!reader.access->at[k].hasValue()) {
      inOrder += instances;
      continue;
    }
    byData += instances;
    const auto& statement = statements.list[static_cast<size_t>(reader.statement)];
    rows = rows || readsRow(*reader.access, statement) ||
           (element && *element != reader.access->element);
    element = reader.access->element;
  }
  return rows && byData > inOrder;
}

// The dim along which blocks of lanes write and read, if there is one.
std::optional<size_t> dimOfLanes(const pdg::Node& node, const Statements& statements,
                                 const Schedule& schedule, const std::vector<Reader>& readers,
                                 const Storage& storage) {
  if (isRewrittenTree(statements, node.id) || std::holds_alternative<pdg::TreeUpdate>(node.op))
    return std::nullopt;  // for the runtime
  std::optional<size_t> lanes;
  int most = 1;
  for (size_t k = 0; k < node.dims.size(); ++k) {
    if (storage.dims[k].lane) continue;
    const int count = touchesInLanes(node, k, statements, schedule, readers);
    if (count < most) continue;
    most = count;
    lanes = k;
  }
  return lanes;
}

// Elements from one row of `elements` to the next: no row of up to a line lies in two.
int64_t apartInLines(int64_t elements, const pdg::Node& node) {
  const auto size = static_cast<int64_t>(byteSize(node.type));
  const int64_t apart = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(elements)));
  return apart * size <= kLineBytes ? apart : elements;
}

// Elements from one row of lanes to the next. Where something else than lanes writes or reads the
// tensor, such as the keys of attention, which come point by point and are read along all points so
// far, code generators leave rows in this order; and rows that lie some power of two apart share
// few sets of a cache, so that those are a block longer.
int64_t rowOfLanes(const pdg::Node& node, size_t innermost, const Statements& statements,
                   const Schedule& schedule, const std::vector<Reader>& readers,
                   const Storage& storage) {
  const int64_t lanes = storage.dims[innermost].extent;
  const auto size = static_cast<int64_t>(byteSize(node.type));
  const int64_t rows = std::accumulate(storage.elementExtent.begin(), storage.elementExtent.end(),
                                       int64_t{1}, std::multiplies<>());
  const auto touches = statements.writers[static_cast<size_t>(node.id)].size() + readers.size();
  const bool onlyLanes =
      touchesInLanes(node, innermost, statements, schedule, readers) == static_cast<int>(touches);
  const bool shareSets = rows >= kFewestRows && lanes * size % kSameSetsBytes == 0;
  return shareSets && !onlyLanes ? lanes + std::max(kBlock, kLineBytes / size) : lanes;
}

}  // namespace

std::optional<size_t> depthScanning(const Placed& placed, Var var) {
  for (size_t k = 0; k < placed.scanned.size(); ++k)
    if (placed.scanned[k] == var) return k;
  return std::nullopt;
}

void layOut(const pdg::Node& node, const Statements& statements, const Schedule& schedule,
            const std::vector<Reader>& readers, Storage& storage) {
  const auto lanes = dimOfLanes(node, statements, schedule, readers, storage);
  const bool rows = lanes && readByData(node, *lanes, statements, schedule, readers, storage);
  int64_t stride = 1;
  if (lanes && !rows) {
    storage.dims[*lanes].stride = stride;
    stride = storage.row = rowOfLanes(node, *lanes, statements, schedule, readers, storage);
  }
  storage.elementStride.resize(node.shape.size());
  for (size_t k = node.shape.size(); k-- > 0;) {
    storage.elementStride[k] = stride;
    stride *= storage.elementExtent[k];
  }
  if (rows) {  // those that a block of lanes writes lie together
    storage.dims[*lanes].stride = stride = apartInLines(stride, node);
    stride *= storage.dims[*lanes].extent;
  }
  for (size_t k = node.dims.size(); k-- > 0;) {
    if (lanes == k || storage.dims[k].lane) continue;
    storage.dims[k].stride = stride;
    stride *= storage.dims[k].extent;
  }
  storage.elements = stride;
}

}  // namespace rlc::schedule
