#include "jit/host/sink_router.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace rlc::host {

using runtime::RunControl;
using runtime::ShownValue;
using runtime::SinkKind;
using runtime::SinkOutput;

Point SinkLine::lineOf(const Point& point) const {
  Point line = point;
  if (everyDim >= 0) line.erase(line.begin() + everyDim);
  return line;
}

bool SinkLine::kept(const Point& point) const {
  if (everyDim < 0) return true;
  const int64_t position = point[static_cast<size_t>(everyDim)];
  return (position - everyFirst) % every == 0 || position == everyLast;
}

namespace {

ShownValue build(const ValueTree& tree, const std::function<DenseTensor(int)>& leaf, int& next) {
  switch (tree.kind) {
    case ValueTree::Kind::Leaf:
      return {leaf(next++)};
    case ValueTree::Kind::Record: {
      std::vector<std::pair<std::string, ShownValue>> fields;
      for (const ValueTree& part : tree.children)
        fields.emplace_back(part.field, build(part, leaf, next));
      return {std::move(fields)};
    }
    case ValueTree::Kind::Tuple:
      break;
  }
  std::vector<ShownValue> parts;
  for (const ValueTree& part : tree.children) parts.push_back(build(part, leaf, next));
  return {std::move(parts)};
}

}  // namespace

ShownValue shownValue(const ValueTree& tree, const std::function<DenseTensor(int)>& leaf) {
  int next = 0;
  return build(tree, leaf, next);
}

void forEachPoint(const Sink& sink, const std::function<bool(const Point&)>& visit) {
  if (!sink.any) return;
  const auto shown = [&](const Point& at) {
    return !(sink.line.lastIsOpen || sink.line.kept(at)) || visit(at);
  };
  if (sink.isListed) {
    std::all_of(sink.listed.begin(), sink.listed.end(), shown);
    return;
  }
  Point point(sink.dims.size());
  sink.box.forEach(point.data(), [&] {
    return !sink.inside(point.data()) || shown(point) ? PointScan::Next::On : PointScan::Next::Stop;
  });
}

struct SinkRouter::Impl {
  struct Waiting {
    Point at;
    ShownValue value;
  };
  struct Route {
    std::vector<Waiting> prints;
    std::optional<Waiting> latest;       // a save without `each`
    std::map<Point, Waiting> lastSoFar;  // of each line whose end is open, if `each` leaves it out
    int64_t done = INT64_MIN;            // reports: the outermost coordinate last reached
  };

  Impl(const std::vector<Sink>& sinks, SinkOutput& output, const RunControl& control)
      : sinks(sinks), output(output), control(control), routes(sinks.size()) {}

  void show(int sink, const Waiting& what) {
    const Sink& shown = sinks[static_cast<size_t>(sink)];
    std::vector<std::pair<std::string, int64_t>> index;
    for (size_t d = 0; d < shown.dims.size(); ++d) index.emplace_back(shown.dims[d], what.at[d]);
    output.show(shown.info, sink, index, what.value);
  }

  void reached(int number, const Point& at, const std::function<DenseTensor(int)>& leaf) {
    const Sink& sink = sinks[static_cast<size_t>(number)];
    Route& route = routes[static_cast<size_t>(number)];
    if (sink.info.kind != SinkKind::Print) advance(sink, route, at);
    if (sink.line.lastIsOpen) return reachedOpen(number, at, leaf);
    if (!sink.line.kept(at)) return;
    Waiting what{at, shownValue(sink.tree, leaf)};
    if (sink.info.kind == SinkKind::Print) {
      route.prints.push_back(std::move(what));
    } else if (sink.info.kind == SinkKind::Report || sink.line.everyDim >= 0 || at.empty() ||
               at[0] == sink.line.last) {
      route.latest.reset();
      show(number, what);
    } else {
      route.latest = std::move(what);
    }
  }

  // A point that `each` leaves out waits, to the run's end: it may be the last of its line, and
  // lines go side by side.
  void reachedOpen(int number, const Point& at, const std::function<DenseTensor(int)>& leaf) {
    const Sink& sink = sinks[static_cast<size_t>(number)];
    Route& route = routes[static_cast<size_t>(number)];
    const Point line = sink.line.lineOf(at);
    Waiting what{at, shownValue(sink.tree, leaf)};
    if (!sink.line.kept(at)) {
      route.lastSoFar.insert_or_assign(line, std::move(what));
      return;
    }
    route.lastSoFar.erase(line);
    show(number, what);
  }

  void advance(const Sink& sink, Route& route, const Point& at) {
    if (!control.progress || at.empty() || at[0] <= route.done) return;
    route.done = at[0];
    control.progress(
        {sink.dims[0], at[0] - sink.line.first + 1, sink.line.last - sink.line.first + 1});
  }

  void finish() {
    for (size_t i = 0; i < routes.size(); ++i) {
      if (routes[i].latest) show(static_cast<int>(i), *routes[i].latest);
      for (const auto& [line, last] : routes[i].lastSoFar) show(static_cast<int>(i), last);
    }
    for (size_t i = 0; i < routes.size(); ++i) {
      std::vector<Waiting>& prints = routes[i].prints;
      std::vector<size_t> order(prints.size());
      std::iota(order.begin(), order.end(), size_t{0});
      auto before = [&](size_t a, size_t b) { return prints[a].at < prints[b].at; };
      if (!std::is_sorted(order.begin(), order.end(), before))
        std::sort(order.begin(), order.end(), before);
      for (size_t at : order) show(static_cast<int>(i), prints[at]);
      prints.clear();
    }
  }

  const std::vector<Sink>& sinks;
  SinkOutput& output;
  RunControl control;
  std::vector<Route> routes;
};

SinkRouter::SinkRouter(const std::vector<Sink>& sinks, SinkOutput& output,
                       const RunControl& control)
    : impl_(std::make_unique<Impl>(sinks, output, control)) {}

SinkRouter::~SinkRouter() = default;

void SinkRouter::reached(int sink, const Point& at, const std::function<DenseTensor(int)>& leaf) {
  impl_->reached(sink, at, leaf);
}

void SinkRouter::finish() { impl_->finish(); }

}  // namespace rlc::host
