// Walks a program's sinks in the order in which they are shown; the same for every device.
//
// First the reports and saves: those over a common outermost index advance together, so that a
// metric appears as soon as its iteration is done; then the prints, in source order, each by points
// in lexicographic order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/pdg/graph.h"
#include "compiler/polyhedral/set.h"
#include "compiler/types/scalar.h"
#include "jit/host/plan.h"
#include "jit/runtime/fault.h"
#include "jit/runtime/sink_output.h"

namespace rlc::interpreter {

using polyhedral::Point;
using runtime::RunControl;
using runtime::RunEnd;
using runtime::ShownValue;
using runtime::SinkOutput;

// Where the values come from.
class SinkValues {
 public:
  virtual ~SinkValues() = default;
  // Leaf `number` of the sink's value (in the order of forEachLeaf) at a point of the sink's
  // domain.
  virtual DenseTensor leaf(int sink, int number, const Point& at) = 0;
  // Whether the sink's `where` holds; asked only of sinks that have one.
  virtual bool holds(int sink, const Point& at) = 0;
  // Whether the sink's value at the point has been computed already.
  virtual bool known(int, const Point&) { return false; }
  // The run was stopped; what is read from now on is to be saved and must not be refused.
  virtual void finishing() {}
};

// Thrown by SinkValues where the run is to stop in the middle of a value.
struct StopRequested {};

// The plain form of a sink's parts.
runtime::SinkInfo infoOf(const pdg::Sink& sink);
host::ValueTree treeOf(const pdg::SinkValue& value, const std::string& field = "");

RunEnd runSinks(const pdg::Graph& graph, SinkValues& values, SinkOutput& output,
                const RunControl& control = {});

}  // namespace rlc::interpreter
