#include "compiler/interpreter/sink_points.h"

#include <algorithm>

namespace rlc::interpreter {

SinkPoints::SinkPoints(const pdg::Sink& sink) : rank_(sink.dims.size()) {
  any_ = !sink.domain.isEmpty();
  if (!any_ || rank_ == 0) return;
  Slots slots;
  for (Var dim : sink.dims) slots.emplace(dim, static_cast<int>(slots.size()));
  line_.first = sink.domain.minimum(sink.dims[0]).value_or(0);
  line_.last = sink.domain.maximum(sink.dims[0]).value_or(-1);
  all_ = CompiledScan(sink.domain, {}, sink.dims, slots);
  rest_ =
      CompiledScan(sink.domain, {sink.dims[0]}, {sink.dims.begin() + 1, sink.dims.end()}, slots);
  if (!sink.everyDim) return;
  line_.everyDim = slots.at(*sink.everyDim);
  line_.every = std::max<int64_t>(sink.every, 1);
  line_.everyFirst = sink.domain.minimum(*sink.everyDim).value_or(0);
  line_.everyLast = sink.domain.maximum(*sink.everyDim).value_or(-1);
  line_.lastIsOpen = sink.where.has_value();
}

bool SinkPoints::forEach(const Visit& visit) const {
  if (!any_) return true;
  Point point(rank_);
  if (rank_ == 0) return visit(point);
  bool finished = true;
  all_.forEach(point.data(),
               [&] { return finished = !(line_.lastIsOpen || line_.kept(point)) || visit(point); });
  return finished;
}

bool SinkPoints::forEachAt(int64_t outermost, const Visit& visit) const {
  if (!any_) return true;
  Point point(rank_);
  point[0] = outermost;
  bool finished = true;
  rest_.forEach(point.data(), [&] {
    return finished = !(line_.lastIsOpen || line_.kept(point)) || visit(point);
  });
  return finished;
}

}  // namespace rlc::interpreter
