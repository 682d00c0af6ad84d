#include "jit/native/emissions.h"

namespace rlc::native {

Emission Emissions::capture(int number, const Point& at) const {
  const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(number)];
  Emission emission;
  if (sink.where) emission.holds = values_.read(*sink.where, sink.dims, at).elements.front().asBool();
  if (emission.holds)
    pdg::forEachLeaf(sink.value, [&](const pdg::Read& leaf) { emission.leaves.push_back(values_.read(leaf, sink.dims, at)); });
  return emission;
}

void Emissions::emit(int sink, const Point& at) {
  Emission emission = capture(sink, at);
  const pdg::Sink& what = graph_.sinks()[static_cast<size_t>(sink)];
  const std::lock_guard lock(mutex_);
  // Of a checkpoint that is written once, of the last point, only the latest point matters.
  if (what.kind == pdg::Sink::Kind::Save && !what.everyDim) dropBefore(sink, at);
  pending_[{sink, at}] = std::move(emission);
  latest_[sink] = at;
  changed_.notify_all();
}

void Emissions::dropBefore(int sink, const Point& at) {
  pending_.erase(pending_.lower_bound({sink, Point{}}), pending_.lower_bound({sink, at}));
}

void Emissions::finish(std::exception_ptr failure, bool stopped) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(failure);
  stopped_ = stopped;
  ended_ = true;
  changed_.notify_all();
}

const Emission& Emissions::await(std::unique_lock<std::mutex>& lock, int sink, const Point& at) {
  dropBefore(sink, at);
  while (true) {
    if (auto found = pending_.find({sink, at}); found != pending_.end()) return found->second;
    if (ended_) {
      if (failure_) std::rethrow_exception(failure_);
      if (stopped_) throw StoppedEarly{};
      return pending_[{sink, at}] = capture(sink, at);
    }
    changed_.wait(lock);
  }
}

DenseTensor Emissions::leaf(int sink, int number, const Point& at) {
  if (graph_.sinks()[static_cast<size_t>(sink)].kind == pdg::Sink::Kind::Print) waitForEnd();
  std::unique_lock lock(mutex_);
  const Emission& emission = await(lock, sink, at);
  DenseTensor value = emission.leaves.at(static_cast<size_t>(number));
  if (static_cast<size_t>(number) + 1 == emission.leaves.size()) pending_.erase({sink, at});
  return value;
}

bool Emissions::holds(int sink, const Point& at) {
  if (graph_.sinks()[static_cast<size_t>(sink)].kind == pdg::Sink::Kind::Print) waitForEnd();
  std::unique_lock lock(mutex_);
  return await(lock, sink, at).holds;
}

void Emissions::waitForEnd() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_; });
  if (failure_) std::rethrow_exception(failure_);
  if (stopped_) throw StoppedEarly{};
}

std::optional<Point> Emissions::latest(int sink) const {
  const std::lock_guard lock(mutex_);
  const auto found = latest_.find(sink);
  return found == latest_.end() || !pending_.contains({sink, found->second}) ? std::nullopt : std::optional(found->second);
}

}  // namespace rlc::native
