#include "compiler/interpreter/sink_points.h"

#include <algorithm>

namespace rlc::interpreter {

SinkPoints::SinkPoints(const pdg::Sink& sink) : rank_(sink.dims.size()) {
  any_ = !sink.domain.isEmpty();
  if (!any_ || rank_ == 0) return;
  Slots slots;
  for (Var dim : sink.dims) slots.emplace(dim, static_cast<int>(slots.size()));
  first_ = sink.domain.minimum(sink.dims[0]).value_or(0);
  last_ = sink.domain.maximum(sink.dims[0]).value_or(-1);
  all_ = CompiledScan(sink.domain, {}, sink.dims, slots);
  rest_ =
      CompiledScan(sink.domain, {sink.dims[0]}, {sink.dims.begin() + 1, sink.dims.end()}, slots);
  if (!sink.everyDim) return;
  every_dim_ = slots.at(*sink.everyDim);
  every_ = std::max<int64_t>(sink.every, 1);
  every_first_ = sink.domain.minimum(*sink.everyDim).value_or(0);
  every_last_ = sink.domain.maximum(*sink.everyDim).value_or(-1);
  open_ = sink.where.has_value();
}

bool SinkPoints::sameLine(const Point& a, const Point& b) const {
  for (size_t k = 0; k < rank_; ++k)
    if (static_cast<int>(k) != every_dim_ && a[k] != b[k]) return false;
  return true;
}

bool SinkPoints::kept(const Point& point) const {
  if (every_dim_ < 0) return true;
  const int64_t position = point[static_cast<size_t>(every_dim_)];
  return (position - every_first_) % every_ == 0 || position == every_last_;
}

bool SinkPoints::forEach(const Visit& visit) const {
  if (!any_) return true;
  Point point(rank_);
  if (rank_ == 0) return visit(point);
  bool finished = true;
  all_.forEach(point.data(), [&] { return finished = !(open_ || kept(point)) || visit(point); });
  return finished;
}

bool SinkPoints::forEachAt(int64_t outermost, const Visit& visit) const {
  if (!any_) return true;
  Point point(rank_);
  point[0] = outermost;
  bool finished = true;
  rest_.forEach(point.data(), [&] { return finished = !(open_ || kept(point)) || visit(point); });
  return finished;
}

}  // namespace rlc::interpreter
