#include "compiler/interpreter/sink_driver.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compiler/interpreter/sink_points.h"
#include "jit/host/sink_router.h"

namespace rlc::interpreter {

namespace {

using pdg::Sink;

class Driver {
 public:
  Driver(const pdg::Graph& graph, SinkValues& values, SinkOutput& output, const RunControl& control)
      : graph_(graph), values_(values), output_(output), control_(control) {
    for (const Sink& sink : graph.sinks()) points_.emplace_back(sink);
  }

  RunEnd run() {
    try {
      if (runAll() == RunEnd::Finished) return RunEnd::Finished;
    } catch (const StopRequested&) {
    }
    values_.finishing();
    finishLines();
    // A checkpoint of one point had no turn of its own yet.
    for (int i = 0; i < count(); ++i)
      if (sink(i).kind == Sink::Kind::Save && sink(i).dims.empty() && !shown_.contains(i) &&
          values_.known(i, {}))
        show(i, {});
    return RunEnd::Stopped;
  }

 private:
  RunEnd runAll() {
    for (const std::vector<int>& group : timelines())
      if (!runTimeline(group)) return RunEnd::Stopped;
    finishLines();
    for (int i = 0; i < count(); ++i) {
      if (sink(i).kind != Sink::Kind::Print) continue;
      if (!points(i).forEach([&](const Point& at) { return !stopped() && show(i, at); }))
        return RunEnd::Stopped;
    }
    return RunEnd::Finished;
  }

  int count() const { return static_cast<int>(points_.size()); }
  const Sink& sink(int i) const { return graph_.sinks()[static_cast<size_t>(i)]; }
  const SinkPoints& points(int i) const { return points_[static_cast<size_t>(i)]; }
  bool stopped() const { return control_.stop && control_.stop(); }

  // Reports and saves by their outermost index, in the order of the first of each; those without
  // dims last.
  std::vector<std::vector<int>> timelines() const {
    std::vector<std::vector<int>> groups;
    std::map<std::optional<pdg::Var>, size_t> byIndex;
    for (bool withDims : {true, false}) {
      for (int i = 0; i < count(); ++i) {
        if (sink(i).kind == Sink::Kind::Print || sink(i).dims.empty() == withDims) continue;
        const std::optional<pdg::Var> index =
            withDims ? std::optional(sink(i).dims[0]) : std::nullopt;
        const auto [entry, added] = byIndex.try_emplace(index, groups.size());
        if (added) groups.emplace_back();
        groups[entry->second].push_back(i);
      }
    }
    return groups;
  }

  bool runTimeline(const std::vector<int>& group) {
    const Sink& head = sink(group.front());
    if (head.dims.empty()) {
      for (int i : group)
        if (!points(i).forEach([&](const Point& at) { return !stopped() && show(i, at); }))
          return false;
      return true;
    }
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int i : group) {
      if (!points(i).hasOutermost()) continue;
      first = std::min(first, points(i).line().first);
      last = std::max(last, points(i).line().last);
    }
    for (int64_t at = first; at <= last && first != INT64_MAX; ++at) {
      if (stopped()) return false;
      for (int i : group) {
        if (at < points(i).line().first || at > points(i).line().last) continue;
        points(i).forEachAt(at, [&](const Point& point) { return visit(i, point); });
      }
      if (control_.progress)
        control_.progress({graph_.dim(head.dims[0]).name, at - first + 1, last - first + 1});
    }
    return true;
  }

  void finishLines() {
    const std::map<int, Point> latest = std::move(latest_);
    latest_.clear();
    for (const auto& [i, at] : latest) show(i, at);
    const auto open = std::move(last_so_far_);
    last_so_far_.clear();
    for (const auto& [i, lines] : open)
      for (const auto& [line, at] : lines) show(i, at);
  }

  // A checkpoint without `each` is written once, of the last point; until then its latest point is
  // remembered. So is a point that `each` leaves out, where it may be the last of its line.
  bool visit(int i, const Point& at) {
    if (sink(i).where && !values_.holds(i, at)) return true;
    if (points(i).line().lastIsOpen) {
      const Point line = points(i).line().lineOf(at);
      if (!points(i).line().kept(at)) {
        last_so_far_[i][line] = at;
        return true;
      }
      last_so_far_[i].erase(line);
      return show(i, at);
    }
    if (sink(i).kind != Sink::Kind::Save || sink(i).everyDim) return show(i, at);
    if (at[0] == points(i).line().last) {
      latest_.erase(i);
      return show(i, at);
    }
    latest_[i] = at;
    return true;
  }

  bool show(int i, const Point& at) {
    if (sink(i).where && !values_.holds(i, at)) return true;
    shown_.insert(i);
    std::vector<std::pair<std::string, int64_t>> index;
    for (size_t d = 0; d < sink(i).dims.size(); ++d)
      index.emplace_back(graph_.dim(sink(i).dims[d]).name, at[d]);
    output_.show(infoOf(sink(i)), i, index, host::shownValue(treeOf(sink(i).value), [&](int leaf) {
                   return values_.leaf(i, leaf, at);
                 }));
    return true;
  }

  const pdg::Graph& graph_;
  SinkValues& values_;
  SinkOutput& output_;
  const RunControl& control_;
  std::vector<SinkPoints> points_;
  std::map<int, Point> latest_;
  std::map<int, std::map<Point, Point>> last_so_far_;  // [sink] of each line whose end is open
  std::set<int> shown_;
};

}  // namespace

runtime::SinkInfo infoOf(const Sink& sink) {
  const auto kind = sink.kind == Sink::Kind::Print    ? runtime::SinkKind::Print
                    : sink.kind == Sink::Kind::Report ? runtime::SinkKind::Report
                                                      : runtime::SinkKind::Save;
  const auto axis = sink.everyDim ? std::find(sink.dims.begin(), sink.dims.end(), *sink.everyDim)
                                  : sink.dims.begin();
  return {kind, sink.label, static_cast<int>(axis - sink.dims.begin())};
}

host::ValueTree treeOf(const pdg::SinkValue& value, const std::string& field) {
  host::ValueTree tree{host::ValueTree::Kind::Leaf, field, {}};
  if (const auto* fields = std::get_if<1>(&value.node)) {
    tree.kind = host::ValueTree::Kind::Record;
    for (const auto& [name, part] : *fields) tree.children.push_back(treeOf(part, name));
  } else if (const auto* parts = std::get_if<2>(&value.node)) {
    tree.kind = host::ValueTree::Kind::Tuple;
    for (const pdg::SinkValue& part : *parts) tree.children.push_back(treeOf(part));
  }
  return tree;
}

RunEnd runSinks(const pdg::Graph& graph, SinkValues& values, SinkOutput& output,
                const RunControl& control) {
  return Driver(graph, values, output, control).run();
}

}  // namespace rlc::interpreter
