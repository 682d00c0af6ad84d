// All that the host knows of a compiled program while it runs: plain data, so that a built program
// carries it in its file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/kinds.h"
#include "compiler/diagnostics/span.h"
#include "compiler/types/scalar.h"
#include "jit/host/point_expr.h"
#include "jit/runtime/sink_output.h"

namespace rlc::host {

// Where a tensor's value lies for a point of a sink; expressions are over the sink's dims.
struct Place {
  struct Dim {
    PointExpr position;
    int64_t lo = 0, ring = 0, stride = 0;  // ring: points that are kept, each in the place of the
                                           // one so many before; 0: all are
  };
  struct Axis {
    PointExpr extent;
    int64_t stride = 0;
  };
  DType type = DType::F32;
  int64_t offset = 0;  // of the arena, in bytes; strides count elements
  std::vector<Dim> dims;
  std::vector<Axis> axes;
};

// The point read may lie past the end of an index that ends on a condition.
struct EndCheck {
  Place end;           // the value of end(dim)
  PointExpr position;  // the point read
  int64_t beyond = 0;  // the tensor has points up to end + beyond, exclusive
  std::string tensor, dim;
};

struct Leaf {
  Place place;
  std::vector<EndCheck> checks;
};

// A value's form: a leaf, or fields (with names) or parts (without).
struct ValueTree {
  enum class Kind : uint8_t { Leaf, Record, Tuple };
  Kind kind = Kind::Leaf;
  std::string field;
  std::vector<ValueTree> children;
};

// Along which points a sink is thinned, and which is its last.
struct SinkLine {
  int64_t first = 0, last = -1;  // of the outermost coordinate
  // `each`
  int everyDim = -1;
  int64_t every = 1, everyFirst = 0, everyLast = 0;
  // Which point is the last is known at the run's end only: the index may end before. Then all
  // points are visited, and those that are not kept may turn out to be the last.
  bool lastIsOpen = false;

  bool kept(const Point& point) const;
  // The coordinates but that along the index that `each` thins: the same for all of a line.
  Point lineOf(const Point& point) const;
};

struct Sink {
  runtime::SinkInfo info;
  diagnostics::Span span;
  std::vector<std::string> dims;
  ValueTree tree;
  std::vector<Leaf> leaves;
  std::vector<Place> where;  // none or one: only points where it holds
  SinkLine line;
  bool any = true;  // it has points: those of `box` that are `inside`; where no condition says
                    // which, those of `listed`
  PointScan box;
  PointCondition inside;
  bool isListed = false;
  std::vector<Point> listed;
};

struct Fault {
  diagnostics::Kind kind = diagnostics::Kind::DivisionByZero;
  std::string message, tensor;
  diagnostics::Span span;
  std::vector<std::string> coordinates;
};

struct Parameter {
  std::string name;
  int64_t offset = 0;  // in the parameter block
  Scalar value;
};

struct Plan {
  std::vector<Parameter> parameters;
  int64_t parameterBytes = 0;
  int mostThreads = 0;  // that its memory limit has room for; 0: any number
  std::vector<Sink> sinks;
  std::vector<Fault> faults;
};

}  // namespace rlc::host
