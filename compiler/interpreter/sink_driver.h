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

namespace rlc::interpreter {

using polyhedral::Point;

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

// A sink's value at one point, as a tree: a tensor, the fields of a record, the parts of a tuple.
struct ShownValue {
  std::variant<DenseTensor, std::vector<std::pair<std::string, ShownValue>>,
               std::vector<ShownValue>>
      node;
};

// Where the lines go.
class SinkOutput {
 public:
  virtual ~SinkOutput() = default;
  // `index`: the names and coordinates of the sink's dims. The three kinds of sink come here alike.
  virtual void show(const pdg::Sink& sink, int number,
                    const std::vector<std::pair<std::string, int64_t>>& index,
                    const ShownValue& value) = 0;
};

struct Progress {
  std::string index;            // the outermost index of the reports: "i"
  int64_t done = 0, total = 0;  // points of it
};

struct RunControl {
  std::function<bool()> stop;  // asked between points; true: stop after what must be saved
  std::function<void(const Progress&)>
      progress;  // after each point of the outermost index of reports
};

// What a run came to.
enum class RunEnd : uint8_t { Finished, Stopped };

RunEnd runSinks(const pdg::Graph& graph, SinkValues& values, SinkOutput& output,
                const RunControl& control = {});

// For a device that reaches the sinks' points in an order of its own (compiled code, which emits a
// point when its values are there). Reports and thinned saves pass at once; prints and the last
// state to save wait for their turn. Points at which a sink's `where` is false must not be sent.
class SinkRouter {
 public:
  SinkRouter(const pdg::Graph& graph, SinkOutput& output, const RunControl& control = {});
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

// The sink's value at a point, read leaf by leaf.
ShownValue shownValue(const pdg::SinkValue& shape, const std::function<DenseTensor(int)>& leaf);

}  // namespace rlc::interpreter
