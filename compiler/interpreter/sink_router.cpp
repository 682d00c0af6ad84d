#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/interpreter/sink_driver.h"
#include "compiler/interpreter/sink_points.h"

namespace rlc::interpreter {

using pdg::Sink;

struct SinkRouter::Impl {
  struct Waiting {
    Point at;
    ShownValue value;
  };
  struct Route {
    explicit Route(const Sink& sink) : points(sink) {}
    SinkPoints points;
    std::vector<Waiting> prints;
    std::optional<Waiting> latest;  // a save without `each`
    int64_t done = INT64_MIN;       // reports: the outermost coordinate last reached
  };

  Impl(const pdg::Graph& graph, SinkOutput& output, const RunControl& control)
      : graph(graph), output(output), control(control) {
    for (const Sink& sink : graph.sinks()) routes.emplace_back(sink);
  }

  void show(int sink, const Waiting& what) {
    const Sink& shown = graph.sinks()[static_cast<size_t>(sink)];
    std::vector<std::pair<std::string, int64_t>> index;
    for (size_t d = 0; d < shown.dims.size(); ++d)
      index.emplace_back(graph.dim(shown.dims[d]).name, what.at[d]);
    output.show(shown, sink, index, what.value);
  }

  void reached(int number, const Point& at, const std::function<DenseTensor(int)>& leaf) {
    const Sink& sink = graph.sinks()[static_cast<size_t>(number)];
    Route& route = routes[static_cast<size_t>(number)];
    if (sink.kind != Sink::Kind::Print) advance(sink, route, at);
    if (route.points.lastIsOpen()) return reachedOpen(number, at, leaf);
    if (!route.points.kept(at)) return;
    Waiting what{at, shownValue(sink.value, leaf)};
    if (sink.kind == Sink::Kind::Print) {
      route.prints.push_back(std::move(what));
    } else if (sink.kind == Sink::Kind::Report || sink.everyDim || at.empty() ||
               at[0] == route.points.last()) {
      route.latest.reset();
      show(number, what);
    } else {
      route.latest = std::move(what);
    }
  }

  // A point that `each` leaves out waits: it may be the last of its line.
  void reachedOpen(int number, const Point& at, const std::function<DenseTensor(int)>& leaf) {
    Route& route = routes[static_cast<size_t>(number)];
    if (route.latest && !route.points.sameLine(route.latest->at, at)) show(number, *route.latest);
    route.latest.reset();
    Waiting what{at, shownValue(graph.sinks()[static_cast<size_t>(number)].value, leaf)};
    if (route.points.kept(at)) return show(number, what);
    route.latest = std::move(what);
  }

  void advance(const Sink& sink, Route& route, const Point& at) {
    if (!control.progress || at.empty() || at[0] <= route.done) return;
    route.done = at[0];
    control.progress({graph.dim(sink.dims[0]).name, at[0] - route.points.first() + 1,
                      route.points.last() - route.points.first() + 1});
  }

  void finish() {
    for (size_t i = 0; i < routes.size(); ++i)
      if (routes[i].latest) show(static_cast<int>(i), *routes[i].latest);
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

  const pdg::Graph& graph;
  SinkOutput& output;
  RunControl control;
  std::vector<Route> routes;
};

SinkRouter::SinkRouter(const pdg::Graph& graph, SinkOutput& output, const RunControl& control)
    : impl_(std::make_unique<Impl>(graph, output, control)) {}

SinkRouter::~SinkRouter() = default;

void SinkRouter::reached(int sink, const Point& at, const std::function<DenseTensor(int)>& leaf) {
  impl_->reached(sink, at, leaf);
}

void SinkRouter::finish() { impl_->finish(); }

}  // namespace rlc::interpreter
