#include "jit/host/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "jit/host/place_reader.h"
#include "jit/host/sink_router.h"
#include "jit/runtime/format.h"

namespace rlc::host {

namespace {

using runtime::Outcome;
using runtime::RunEnd;
using runtime::RuntimeFault;
using runtime::SinkKind;

bool containsNan(const DenseTensor& value) {
  return isFloat(value.type) && std::any_of(value.elements.begin(), value.elements.end(),
                                            [](const Scalar& s) { return std::isnan(s.f); });
}

// Carries a stop request to the running code, which polls a flag. A run that ends doesn't wait for
// the next look: most runs are shorter than a few of them.
class StopWatcher {
 public:
  explicit StopWatcher(const std::function<bool()>& stop) {
    if (!stop) return;
    thread_ = std::thread([this, stop] {
      constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
      std::unique_lock lock(mutex_);
      while (!done_ && !flag_) {
        if (stop()) flag_ = true;
        ended_.wait_for(lock, kBetweenLooks, [this] { return done_; });
      }
    });
  }
  ~StopWatcher() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  const std::atomic<bool>& flag() const { return flag_; }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;  // guarded by mutex_
  std::atomic<bool> flag_ = false;
  std::thread thread_;
};

// Passes sinks' points from memory to the router.
class SinkReader {
 public:
  SinkReader(const std::vector<Sink>& sinks, const runtime::ArenaView& arena, SinkRouter& router)
      : sinks_(sinks), arena_(arena), router_(router) {}

  void reached(int number, const Point& at) {
    const Sink& sink = sinks_[static_cast<size_t>(number)];
    for (const Place& where : sink.where)
      if (!readPlace(where, at, arena_).elements.front().asBool()) return;
    for (const Leaf& leaf : sink.leaves) checkEnds(sink, leaf, at);
    router_.reached(number, at, [&](int leaf) {
      DenseTensor value = readPlace(sink.leaves.at(static_cast<size_t>(leaf)).place, at, arena_);
      if (sink.info.kind == SinkKind::Report && firstNan_.empty() && containsNan(value))
        noteNan(sink, at);
      return value;
    });
  }

  const std::string& firstNan() const { return firstNan_; }

  // The points of a sink for which `show` holds.
  void showWhere(int number, const Insight::Shows& show) {
    forEachPoint(sinks_[static_cast<size_t>(number)], [&](const Point& at) {
      if (show(at)) reached(number, at);
      return true;
    });
  }

  void allPrints() {
    for (size_t k = 0; k < sinks_.size(); ++k)
      if (sinks_[k].info.kind == SinkKind::Print)
        showWhere(static_cast<int>(k), [](const Point&) { return true; });
  }

  void showCompleted(const std::vector<Insight::Shows>& completed) {
    for (size_t k = 0; k < sinks_.size(); ++k) {
      try {
        if (completed.at(k)) showWhere(static_cast<int>(k), completed[k]);
      } catch (const RuntimeFault&) {
        // The run's own end is what is told.
      }
    }
  }

 private:
  void checkEnds(const Sink& sink, const Leaf& leaf, const Point& at) const {
    for (const EndCheck& check : leaf.checks) {
      const int64_t limit =
          readPlace(check.end, at, arena_).elements.front().asInt() + check.beyond;
      const int64_t position = check.position(at.data());
      if (position < limit) continue;
      throw RuntimeFault(diagnostics::Kind::PastEndFault,
                         "`" + check.tensor + "` is read past end(" + check.dim + ")", sink.span,
                         check.tensor, {{check.dim, position}});
    }
  }

  void noteNan(const Sink& sink, const Point& at) {
    std::vector<std::pair<std::string, int64_t>> point;
    for (size_t d = 0; d < at.size(); ++d) point.emplace_back(sink.dims[d], at[d]);
    firstNan_ = runtime::placeText(sink.info.label, point);
  }

  const std::vector<Sink>& sinks_;
  const runtime::ArenaView& arena_;
  SinkRouter& router_;
  std::string firstNan_;
};

RuntimeFault faultOf(const Plan& plan, const Outcome& outcome) {
  const Fault& fault = plan.faults.at(static_cast<size_t>(outcome.fault));
  std::vector<std::pair<std::string, int64_t>> point;
  for (size_t k = 0; k < fault.coordinates.size() && k < outcome.coordinates.size(); ++k)
    point.emplace_back(fault.coordinates[k], outcome.coordinates[k]);
  return RuntimeFault(fault.kind, fault.message, fault.span, fault.tensor, std::move(point));
}

// What showing a sink's point reads.
std::vector<runtime::ByteRange> readsOf(const Sink& sink, const Point& at) {
  std::vector<runtime::ByteRange> ranges;
  for (const Leaf& leaf : sink.leaves) {
    ranges.push_back(rangeOf(leaf.place, at));
    for (const EndCheck& check : leaf.checks) ranges.push_back(rangeOf(check.end, at));
  }
  for (const Place& where : sink.where) ranges.push_back(rangeOf(where, at));
  return ranges;
}

}  // namespace

RunResult run(const Plan& plan, runtime::Execution& execution, runtime::SinkOutput& output,
              const runtime::RunControl& control, const RunOptions& options,
              const Insight& insight) {
  std::vector<std::byte> parameters(static_cast<size_t>(plan.parameterBytes) + 8);
  for (size_t k = 0; k < plan.parameters.size(); ++k)
    storeScalar(options.params.empty() ? plan.parameters[k].value : options.params.at(k),
                parameters.data() + plan.parameters[k].offset);

  SinkRouter router(plan.sinks, output, control);
  SinkReader reader(plan.sinks, execution.arena(), router);
  const StopWatcher watcher(control.stop);
  runtime::Progress progress;
  runtime::RunRequest request;
  request.parameters = parameters;
  request.seed = options.seed;
  request.threads =
      plan.mostThreads > 0 ? std::min(options.threads, plan.mostThreads) : options.threads;
  request.stop = &watcher.flag();
  request.emit = [&](int sink, std::span<const int64_t> at) {
    reader.reached(sink, Point(at.begin(), at.end()));
  };
  request.reads = [&](int sink, std::span<const int64_t> at) {
    return readsOf(plan.sinks[static_cast<size_t>(sink)], Point(at.begin(), at.end()));
  };
  request.progress = &progress;
  request.regionSeconds = options.regionSeconds;
  request.deviceUse = options.deviceUse;

  Outcome outcome;
  std::exception_ptr thrown;  // by the host: what a sink reads is past its end
  bool left = true;           // before all had been computed
  try {
    outcome = execution.run(request);
    left = outcome.kind != Outcome::Kind::Ok;
    if (!left) reader.allPrints();
  } catch (const RuntimeFault&) {
    thrown = std::current_exception();
  } catch (const runtime::DeviceError&) {
    router.finish();  // what has come from the device is written; its memory can't be read any more
    throw;
  }
  const bool finished = outcome.kind == Outcome::Kind::Ok && !thrown;
  if (left && insight.completed) reader.showCompleted(insight.completed(outcome, progress));
  router.finish();
  std::string firstNan = reader.firstNan();
  if (insight.findNan && finished && !firstNan.empty())
    firstNan = insight.findNan(request).value_or(firstNan);
  if (thrown) std::rethrow_exception(thrown);
  if (outcome.kind == Outcome::Kind::Fault) throw faultOf(plan, outcome);
  return {finished ? RunEnd::Finished : RunEnd::Stopped,
          options.countPages ? execution.touchedBytes() : 0, firstNan};
}

}  // namespace rlc::host
