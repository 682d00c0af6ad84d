// The points of a sink, in lexicographic order, thinned by `each`.
#pragma once

#include <optional>

#include "compiler/interpreter/compiled_expr.h"
#include "compiler/interpreter/sink_driver.h"
#include "jit/host/plan.h"

namespace rlc::interpreter {

class SinkPoints {
 public:
  explicit SinkPoints(const pdg::Sink& sink);

  // The range of the outermost coordinate; empty where there are no points or no dims.
  bool hasOutermost() const { return line_.first <= line_.last; }
  const host::SinkLine& line() const { return line_; }
  bool any() const { return any_; }
  const CompiledScan& all() const { return all_; }

  // visit(point) -> bool; false stops. Returns false if it was stopped.
  using Visit = std::function<bool(const Point&)>;
  bool forEach(const Visit& visit) const;
  bool forEachAt(int64_t outermost, const Visit& visit) const;

 private:
  size_t rank_ = 0;
  bool any_ = true;
  host::SinkLine line_;
  CompiledScan all_, rest_;
};

}  // namespace rlc::interpreter
