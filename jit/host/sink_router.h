// For code that reaches the sinks' points in an order of its own. Reports and thinned saves pass at
// once; prints and the last state to save wait for their turn (compiler/interpreter/sink_driver.h
// has the order).
#pragma once

#include <functional>
#include <memory>

#include "jit/host/plan.h"
#include "jit/runtime/sink_output.h"

namespace rlc::host {

// The sink's value at a point, read leaf by leaf.
runtime::ShownValue shownValue(const ValueTree& tree, const std::function<DenseTensor(int)>& leaf);

// Points at which a sink's `where` is false must not be sent.
class SinkRouter {
 public:
  SinkRouter(const std::vector<Sink>& sinks, runtime::SinkOutput& output,
             const runtime::RunControl& control = {});
  ~SinkRouter();
  SinkRouter(const SinkRouter&) = delete;
  SinkRouter& operator=(const SinkRouter&) = delete;

  // `leaf(number)` reads the sink's leaves, now.
  void reached(int sink, const Point& at, const std::function<DenseTensor(int)>& leaf);
  // Shows what waits: prints that were reached, and the latest state to save.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// visit(point) -> bool at the points of a sink that are kept (all, where the last is open), in
// order; false stops.
void forEachPoint(const Sink& sink, const std::function<bool(const Point&)>& visit);

}  // namespace rlc::host
