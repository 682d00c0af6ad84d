// The points of a sink, in lexicographic order, thinned by `each`.
#pragma once

#include <optional>

#include "compiler/interpreter/compiled_expr.h"
#include "compiler/interpreter/sink_driver.h"

namespace rlc::interpreter {

class SinkPoints {
 public:
  explicit SinkPoints(const pdg::Sink& sink);

  // The range of the outermost coordinate; empty where there are no points or no dims.
  bool hasOutermost() const { return first_ <= last_; }
  int64_t first() const { return first_; }
  int64_t last() const { return last_; }

  // visit(point) -> bool; false stops. Returns false if it was stopped.
  using Visit = std::function<bool(const Point&)>;
  bool forEach(const Visit& visit) const;
  bool forEachAt(int64_t outermost, const Visit& visit) const;

  bool kept(const Point& point) const;  // by `each`
  // Which point is the last is known at the run's end only: the index may end before. Then all points are visited, and those that are
  // not kept may turn out to be the last.
  bool lastIsOpen() const { return open_; }
  // Whether two points lie on the same line along the index that `each` thins.
  bool sameLine(const Point& a, const Point& b) const;

 private:
  size_t rank_ = 0;
  int64_t first_ = 0, last_ = -1;
  bool any_ = true, open_ = false;
  CompiledScan all_, rest_;
  // `each`
  int every_dim_ = -1;
  int64_t every_ = 1, every_first_ = 0, every_last_ = 0;
};

}  // namespace rlc::interpreter
