#include "compiler/schedule/storage.h"

#include <algorithm>
#include <limits>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/schedule/distance.h"
#include "compiler/schedule/layout.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

using pdg::Node;

bool runsInOrder(const ScheduleNode& loop) {
  return !loop.parallel || loop.execution == ScheduleNode::Execution::Sequential;
}

class StorageChooser {
 public:
  StorageChooser(const Graph& graph, const Statements& statements, const Schedule& schedule)
      : graph_(graph),
        statements_(statements),
        schedule_(schedule),
        readers_(static_cast<size_t>(graph.size())) {
    for (size_t s = 0; s < statements.list.size(); ++s)
      for (const Access& access : statements.list[s].accesses)
        readers_[static_cast<size_t>(access.producer)].push_back({static_cast<int>(s), &access});
  }

  std::vector<Storage> choose() {
    std::vector<Storage> result(static_cast<size_t>(graph_.size()));
    for (const Node& node : graph_.nodes()) {
      const auto id = static_cast<size_t>(node.id);
      if (statements_.placement[id] == Placement::Stored && !statements_.writers[id].empty())
        result[id] = storageOf(node);
    }
    return result;
  }

 private:
  Storage storageOf(const Node& node) {
    Storage storage;
    storage.node = node.id;
    for (const IndexExpr& extent : node.shape) {
      const auto most = extent.asConstant() ? extent.asConstant() : node.domain.maximum(extent);
      storage.elementExtent.push_back(std::max<int64_t>(most.value_or(0), 0));
    }
    for (Var dim : node.dims) storage.dims.push_back(dimStorage(node, dim));
    storage.perLane = std::any_of(storage.dims.begin(), storage.dims.end(),
                                  [](const DimStorage& d) { return d.lane; });
    if (storage.perLane) dropFixed(node, storage);
    layOut(node, statements_, schedule_, readers_[static_cast<size_t>(node.id)], storage);
    if (storage.perLane) chooseRotation(node, storage);
    return storage;
  }

  const Placed& firstWriter(const Node& node) const {
    const int writer = statements_.writers[static_cast<size_t>(node.id)].front();
    return schedule_.placed[static_cast<size_t>(writer)];
  }

  // What is private to an iteration of a lanes loop needs no place along the loops around that one
  // whose iterations keep to themselves: there is one point at a time.
  void dropFixed(const Node& node, Storage& storage) {
    const Placed& writer = firstWriter(node);
    for (size_t k = 0; k < writer.loops.size() && !isLanes(*writer.loops[k]); ++k) {
      if (runsInOrder(*writer.loops[k]) || !writer.scanned[k]) continue;
      const auto dim = std::find(node.dims.begin(), node.dims.end(), *writer.scanned[k]);
      if (dim == node.dims.end()) continue;
      DimStorage& along = storage.dims[static_cast<size_t>(dim - node.dims.begin())];
      const auto window = windowAlong(node, *dim, along);
      if (window && window->points == 1) along = DimStorage{.lo = 0, .extent = 1};
    }
  }

  static constexpr int64_t kMostRotated = 16;  // elements of a point

  void chooseRotation(const Node& node, Storage& storage) {
    std::optional<size_t> ring;
    for (size_t k = 0; k < storage.dims.size(); ++k) {
      if (storage.dims[k].lane || storage.dims[k].extent == 1) continue;
      if (ring || !storage.dims[k].ring || storage.dims[k].extent != 2) return;
      ring = k;
    }
    if (!ring || storage.dims[*ring].stride > kMostRotated ||
        storage.elements != 2 * storage.dims[*ring].stride)
      return;
    const Var dim = node.dims[*ring];
    const auto& writers = statements_.writers[static_cast<size_t>(node.id)];
    const Placed& first = firstWriter(node);
    const auto depth = depthScanning(first, dim);
    if (!depth || first.loops[*depth]->execution != ScheduleNode::Execution::Sequential) return;
    const ScheduleNode* loop = first.loops[*depth];
    for (int w : writers) {
      const Placed& placed = schedule_.placed[static_cast<size_t>(w)];
      if (depthScanning(placed, dim) != depth || placed.loops[*depth] != loop ||
          placed.shift[*depth] != first.shift[*depth])
        return;
    }
    for (const Reader& reader : readers_[static_cast<size_t>(node.id)]) {
      const Placed& placed = schedule_.placed[static_cast<size_t>(reader.statement)];
      if (placed.loops.size() <= *depth || placed.loops[*depth] != loop) return;
      // Points move along in each run of the loop that does anything, and are written in one of a
      // loop around it.
      for (size_t k = 0; k < *depth; ++k)
        if (!first.scanned[k] && (placed.scanned[k] || placed.shift[k] != first.shift[k])) return;
      const auto shifted = reader.access->at[*ring].asShifted();
      if (!shifted || placed.scanned[*depth] != shifted->var) return;
      const int64_t behind = placed.shift[*depth] - shifted->offset - first.shift[*depth];
      if ((loop->descending ? -behind : behind) < 0 || (loop->descending ? -behind : behind) > 1)
        return;
    }
    storage.dims[*ring].rotation = loop;
    storage.dims[*ring].newest = first.shift[*depth];
  }

  DimStorage dimStorage(const Node& node, Var dim) {
    DimStorage full;
    full.lo = node.domain.minimum(IndexExpr(dim)).value_or(0);
    full.extent =
        std::max<int64_t>(node.domain.maximum(IndexExpr(dim)).value_or(-1) - full.lo + 1, 0);
    const auto id = static_cast<size_t>(node.id);
    if (statements_.escapes[id]) return full;
    const auto window = windowAlong(node, dim, full);
    if (!window) return full;
    full.keptBy = window->keptBy;
    if (!runsInOrder(*window->loop)) {
      if (!isLanes(*window->loop) || window->points != 1) return full;
      return DimStorage{.lo = 0, .extent = 1, .lane = true};
    }
    if (window->points >= full.extent) return full;
    return DimStorage{.lo = full.lo,
                      .extent = window->points,
                      .ring = true,
                      .carried = window->carried,
                      .keptBy = window->keptBy};
  }

  struct Window {
    const ScheduleNode* loop;
    int64_t points;
    bool carried = false;
    int keptBy = -1;
  };

  // How many points along `dim` are alive at once, in iterations of the loop that scans it for all
  // writers. `full`: all of them.
  std::optional<Window> windowAlong(const Node& node, Var dim, const DimStorage& full) {
    const auto& writers = statements_.writers[static_cast<size_t>(node.id)];
    const Placed& first = firstWriter(node);
    const auto depth = depthScanning(first, dim);
    if (!depth) return std::nullopt;
    const ScheduleNode* loop = first.loops[*depth];
    int64_t earliest = std::numeric_limits<int64_t>::max(),
            latest = std::numeric_limits<int64_t>::min();
    std::optional<int64_t> earliestOver;       // of those that may write over an older point
    size_t firstOver = loop->children.size();  // where among the loop's children they begin
    for (int w : writers) {
      const Placed& placed = schedule_.placed[static_cast<size_t>(w)];
      if (depthScanning(placed, dim) != depth || placed.loops[*depth] != loop) return std::nullopt;
      // A loop outside that scans no dim of the node would overwrite what an earlier iteration
      // still needs (an accumulation). Where all writers run in the same one of its iterations,
      // nothing is written twice.
      for (size_t k = 0; k < *depth; ++k)
        if (!writeOnceAlong(node, k, placed, first)) return std::nullopt;
      earliest = std::min(earliest, placed.shift[*depth]);
      latest = std::max(latest, placed.shift[*depth]);
      if (writesFirstPointOnly(node, w, dim, loop->descending)) continue;
      firstOver = std::min(firstOver, childWith(*loop, *depth, w));
      const int64_t shift = placed.shift[*depth];
      earliestOver = loop->descending ? std::max(earliestOver.value_or(shift), shift)
                                      : std::min(earliestOver.value_or(shift), shift);
    }
    const bool apart = earliest != latest;
    if (earliestOver) (loop->descending ? latest : earliest) = *earliestOver;
    Window window{loop, std::abs(latest - earliest) + 1, apart};
    const auto need = [&](int64_t points, const Reader& reader) {
      if (points <= window.points) return;
      window.points = points;
      window.keptBy = reader.statement;
    };
    for (const Reader& reader : readers_[static_cast<size_t>(node.id)]) {
      const auto wanted = wantedBy(node, dim, *depth, reader, loop->descending ? earliest : latest);
      if (!wanted) return std::nullopt;
      if (wanted->later) {
        if (!runsInOrder(*loop)) return std::nullopt;
        // What lies in the place of the points that the loop wrote before takes it while they are
        // still wanted, but for what is carried over to the first.
        if (reader.access->ownPlace && isWriter(writers, reader.statement) &&
            !writesFirstPointOnly(node, reader.statement, dim, loop->descending))
          return std::nullopt;
        const auto kept = pointsToEnd(node, dim, *depth, full, reader);
        if (!kept) return std::nullopt;
        need(*kept, reader);
      }
      const auto& spread = wanted->within;
      if (!spread) continue;
      const auto after =
          loop->descending ? latest - earliest - spread->min : spread->max + latest - earliest;
      window.carried = window.carried || after > latest - earliest;
      // What is rewritten is not needed beside what it becomes, nor what is read for the last time
      // before something else takes its place in the same iteration.
      const bool replaced =
          (reader.access->rewritten || (earliest == latest && liesInItsPlace(node, dim, reader))) &&
          isWriter(writers, reader.statement) && spread->min == spread->max;
      const bool gone =
          runsInOrder(*loop) && childWith(*loop, *depth, reader.statement) < firstOver;
      need(replaced || gone ? after : after + 1, reader);
    }
    return window;
  }

  // Whether iterations of a writer's loop at depth `k` write different points, or only one writes.
  static bool writeOnceAlong(const Node& node, size_t k, const Placed& writer,
                             const Placed& first) {
    if (!writer.scanned[k]) return !first.scanned[k] && writer.shift[k] == first.shift[k];
    return first.scanned[k] && contains(node.dims, *writer.scanned[k]);
  }

  // Whether a value that is computed from its own last point along `dim` may take its place. What
  // is carried over between fixed points of another index may if it begins the loop over that one:
  // else its place is another's that is already written, or still wanted.
  bool liesInItsPlace(const Node& node, Var dim, const Reader& reader) const {
    if (!reader.access->ownPlace || node.dims[*reader.access->ownPlace] != dim) return false;
    const auto& writers = statements_.writers[static_cast<size_t>(node.id)];
    const Placed& placed = schedule_.placed[static_cast<size_t>(reader.statement)];
    for (size_t position : reader.access->carried) {
      const Var other = node.dims[position];
      const auto depth = depthScanning(placed, other);
      if (!depth || !runsInOrder(*placed.loops[*depth]) ||
          !writesFirstPointOnly(node, reader.statement, other, placed.loops[*depth]->descending))
        return false;
      for (int w : writers) {
        const Placed& writer = schedule_.placed[static_cast<size_t>(w)];
        if (depthScanning(writer, other) != depth || writer.loops[*depth] != placed.loops[*depth] ||
            writer.shift[*depth] != placed.shift[*depth])
          return false;
      }
    }
    return true;
  }

  // Which of the loop's children a statement is in.
  size_t childWith(const ScheduleNode& loop, size_t depth, int statement) const {
    const Placed& placed = schedule_.placed[static_cast<size_t>(statement)];
    for (size_t k = 0; k < loop.children.size(); ++k) {
      const ScheduleNode& child = *loop.children[k];
      const bool here = child.kind == ScheduleNode::Kind::Loop
                            ? placed.loops.size() > depth + 1 && placed.loops[depth + 1] == &child
                        : child.kind == ScheduleNode::Kind::Statement
                            ? child.statement == statement
                            : contains(child.statements, statement);
      if (here) return k;
    }
    throw InternalError("storage: a statement outside of the loop around it");
  }

  static bool isWriter(const std::vector<int>& writers, int statement) {
    return contains(writers, statement);
  }

  // An initial value: nothing is older, so however early it is written, it takes the place of
  // nothing.
  bool writesFirstPointOnly(const Node& node, int writer, Var dim, bool descending) const {
    const Set& own = statements_.list[static_cast<size_t>(writer)].domain;
    const IndexExpr at(dim);
    return descending ? own.minimum(at) == node.domain.maximum(at)
                      : own.maximum(at) == node.domain.minimum(at);
  }

  // When a reader wants points, seen from the loop that scans a dim.
  struct Wanted {
    // While the loop writes the points of the same outer iterations: extremes of (reader's loop
    // variable) - (loop variable at which the point was written, taking the latest writer).
    std::optional<Distance> within;
    bool later = false;  // when the loop is through with them: behind it, or in a later iteration
                         // of a loop outside
  };

  std::optional<Wanted> wantedBy(const Node& node, Var dim, size_t depth, const Reader& reader,
                                 int64_t writerShift) {
    const Placed& placed = schedule_.placed[static_cast<size_t>(reader.statement)];
    const Placed& writer = firstWriter(node);
    Wanted wanted;
    for (size_t k = 0; k <= depth; ++k) {
      if (placed.loops.size() <= k || placed.loops[k] != writer.loops[k]) {
        // What is read in the same outer iterations before the loop begins is an initial value.
        const bool before =
            k > 0 && !wanted.later &&
            childWith(*writer.loops[k - 1], k - 1, reader.statement) <
                childWith(*writer.loops[k - 1], k - 1,
                          statements_.writers[static_cast<size_t>(node.id)].front());
        wanted.later = !before;
        return wanted;
      }
      if (!writer.scanned[k]) {
        const auto behind = behindOnly(reader, placed, writer, k);
        if (!behind || behind->min < 0) return std::nullopt;
        wanted.later = wanted.later || behind->max > 0;
        if (behind->min > 0) return wanted;
        continue;
      }
      const auto distance =
          distanceOf(reader, placed, k,
                     reader.access->at[positionOf(node, k == depth ? dim : *writer.scanned[k])]);
      if (!distance) return std::nullopt;
      if (k == depth) {
        wanted.within = Distance{distance->min - writerShift, distance->max - writerShift};
        return wanted;
      }
      const auto outer = iterationsLater(node, k, *distance);
      if (!outer) return std::nullopt;
      wanted.later = wanted.later || outer->max > 0;
      if (outer->min > 0) return wanted;
    }
    return wanted;
  }

  // How many iterations of the loop at depth `k` a read runs behind the write, where all writers
  // write a point in the same one. A single initial point may be written and read earlier: until
  // the other equations begin nothing takes its place.
  std::optional<Distance> iterationsLater(const Node& node, size_t k,
                                          const Distance& distance) const {
    const auto& writers = statements_.writers[static_cast<size_t>(node.id)];
    const Placed& first = firstWriter(node);
    const bool down = first.loops[k]->descending;
    std::optional<int64_t> shift;  // of the others
    bool early = false;
    for (int w : writers) {
      const Placed& placed = schedule_.placed[static_cast<size_t>(w)];
      const int64_t own = placed.shift[k];
      if (writesFirstPointOnly(node, w, *placed.scanned[k], down) && isOnePointInside(w, k)) {
        early = true;
        continue;
      }
      if (shift && *shift != own) return std::nullopt;
      shift = own;
    }
    if (!shift) {
      early = false;
      shift = first.shift[k];
      for (int w : writers)
        if (schedule_.placed[static_cast<size_t>(w)].shift[k] != *shift) return std::nullopt;
    }
    Distance later{down ? *shift - distance.max : distance.min - *shift,
                   down ? *shift - distance.min : distance.max - *shift};
    if (early) later = {std::max<int64_t>(later.min, 0), std::max<int64_t>(later.max, 0)};
    if (later.min < 0) return std::nullopt;
    return later;
  }

  // Whether a statement has one point in all of the loops inside of the one at depth `k`.
  bool isOnePointInside(int statement, size_t k) const {
    const Placed& placed = schedule_.placed[static_cast<size_t>(statement)];
    const Set& own = statements_.list[static_cast<size_t>(statement)].domain;
    for (size_t inner = k + 1; inner < placed.scanned.size(); ++inner)
      if (placed.scanned[inner] && own.minimum(IndexExpr(*placed.scanned[inner])) !=
                                       own.maximum(IndexExpr(*placed.scanned[inner])))
        return false;
    return true;
  }

  static size_t positionOf(const Node& node, Var dim) {
    return static_cast<size_t>(std::find(node.dims.begin(), node.dims.end(), dim) -
                               node.dims.begin());
  }

  // From the first point that a reader wants when the loop is through to the last one that it wrote
  // in the same outer iterations.
  std::optional<int64_t> pointsToEnd(const Node& node, Var dim, size_t depth,
                                     const DimStorage& full, const Reader& reader) const {
    const auto position = positionOf(node, dim);
    const bool descending =
        schedule_
            .placed[static_cast<size_t>(statements_.writers[static_cast<size_t>(node.id)].front())]
            .loops[depth]
            ->descending;
    const IndexExpr& at = reader.access->at[position];
    if (const auto point = at.asConstant()) {
      const auto last = lastWritten(node, dim, depth, reader, descending);
      if (!last) return std::nullopt;
      return (descending ? *point - *last : *last - *point) + 1;
    }
    if (at.hasValue()) return std::nullopt;
    const auto read = extremes(reader.access->scope, at);
    if (!read) return std::nullopt;
    return descending ? read->max - full.lo + 1 : full.lo + full.extent - read->min;
  }

  // The last point along `dim` that the loop at `depth` writes in the outer iterations of what a
  // reader wants.
  std::optional<int64_t> lastWritten(const Node& node, Var dim, size_t depth, const Reader& reader,
                                     bool descending) const {
    const Placed& writer = firstWriter(node);
    Set written = node.domain;
    for (size_t k = 0; k < depth; ++k) {
      if (!writer.scanned[k]) continue;
      const Var outer = *writer.scanned[k];
      const IndexExpr& at = reader.access->at[positionOf(node, outer)];
      if (at.hasValue()) continue;
      const auto read = extremes(reader.access->scope, at);
      if (!read) continue;
      written = written.intersect(
          polyhedral::Condition::within(IndexExpr(outer), read->min, read->max + 1));
    }
    return descending ? written.minimum(IndexExpr(dim)) : written.maximum(IndexExpr(dim));
  }

  // Extremes of (the reader's value of loop `k`) - (the point read).
  std::optional<Distance> distanceOf(const Reader& reader, const Placed& placed, size_t k,
                                     const IndexExpr& at) {
    const auto& own = placed.scanned[k];
    if (own) {
      if (auto shifted = at.asShifted(); shifted && shifted->var == *own)
        return Distance{placed.shift[k] - shifted->offset, placed.shift[k] - shifted->offset};
    }
    if (at.hasValue()) return gatherDistance(reader, placed, k, at);
    const IndexExpr time =
        own ? IndexExpr(*own) + IndexExpr(placed.shift[k]) : IndexExpr(placed.shift[k]);
    return extremes(reader.access->scope, time - at);
  }

  // A gather reads anything in its proven range.
  std::optional<Distance> gatherDistance(const Reader& reader, const Placed& placed, size_t k,
                                         const IndexExpr& at) {
    const Var target = Var::dim(schedule_.varCount);
    const Set relation = Set::access(reader.access->scope, {at}, {target});
    const auto& own = placed.scanned[k];
    const IndexExpr time =
        own ? IndexExpr(*own) + IndexExpr(placed.shift[k]) : IndexExpr(placed.shift[k]);
    return extremes(relation, time - IndexExpr(target));
  }

  // How many iterations of the loop at depth `k` a read runs behind the only one that writes.
  static std::optional<Distance> behindOnly(const Reader& reader, const Placed& placed,
                                            const Placed& writer, size_t k) {
    IndexExpr behind(placed.shift[k] - writer.shift[k]);
    if (placed.scanned[k]) behind = behind + IndexExpr(*placed.scanned[k]);
    return extremes(reader.access->scope, placed.loops[k]->descending ? behind * -1 : behind);
  }

  static std::optional<Distance> extremes(const Set& set, const IndexExpr& e) {
    const auto lo = set.minimum(e), hi = set.maximum(e);
    if (!lo || !hi) return Distance{0, 0};  // never read
    if (*lo == std::numeric_limits<int64_t>::min() || *hi == std::numeric_limits<int64_t>::max())
      return std::nullopt;
    return Distance{*lo, *hi};
  }

  const Graph& graph_;
  const Statements& statements_;
  const Schedule& schedule_;
  std::vector<std::vector<Reader>> readers_;  // [node]
};

}  // namespace

std::vector<Storage> chooseStorage(const Graph& graph, const Statements& statements,
                                   const Schedule& schedule) {
  return StorageChooser(graph, statements, schedule).choose();
}

}  // namespace rlc::schedule
