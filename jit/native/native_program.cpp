#include "jit/native/native_program.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "compiler/interpreter/sink_points.h"
#include "compiler/loops/memory_plan.h"
#include "compiler/schedule/dependences.h"
#include "compiler/schedule/execution.h"
#include "compiler/schedule/flatten_merges.h"
#include "compiler/schedule/past_end.h"
#include "compiler/schedule/printed_points.h"
#include "compiler/schedule/scheduler.h"
#include "compiler/schedule/storage.h"
#include "jit/native/arena.h"
#include "jit/native/host_values.h"
#include "jit/native/nan_watch.h"
#include "jit/native/needs.h"

namespace rlc::native {

namespace {

using interpreter::RunEnd;

interpreter::RuntimeFault faultOf(const loops::Program& program, const cpu::Outcome& outcome) {
  const loops::Fault& fault = program.faults.at(static_cast<size_t>(outcome.fault));
  std::vector<std::pair<std::string, int64_t>> point;
  for (size_t k = 0; k < fault.coordinateNames.size() && k < outcome.coordinates.size(); ++k)
    point.emplace_back(fault.coordinateNames[k], outcome.coordinates[k]);
  return interpreter::RuntimeFault(fault.kind, fault.message, fault.span, fault.tensor, std::move(point));
}

// Carries a stop request to the running code, which polls a flag.
class StopWatcher {
 public:
  explicit StopWatcher(const std::function<bool()>& stop) {
    if (stop)
      thread_ = std::thread([this, stop] {
        while (!done_ && !flag_) {
          if (stop()) flag_ = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
      });
  }
  ~StopWatcher() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }
  const std::atomic<bool>& flag() const { return flag_; }

 private:
  std::atomic<bool> flag_ = false, done_ = false;
  std::thread thread_;
};

}  // namespace

// Passes sinks' points from memory to the router.
class SinkReader {
 public:
  SinkReader(const pdg::Graph& graph, const HostValues& values, interpreter::SinkRouter& router)
      : graph_(graph), values_(values), router_(router) {
    for (const pdg::Sink& sink : graph.sinks()) {
      leaves_.emplace_back();
      pdg::forEachLeaf(sink.value, [&](const pdg::Read& leaf) { leaves_.back().push_back(&leaf); });
    }
  }

  void reached(int number, const Point& at) {
    const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(number)];
    if (sink.where && !values_.read(*sink.where, sink.dims, at).elements.front().asBool()) return;
    const auto& leaves = leaves_[static_cast<size_t>(number)];
    for (const pdg::Read* leaf : leaves) checkEnds(sink, *leaf, at);
    router_.reached(number, at, [&](int leaf) {
      DenseTensor value = values_.read(*leaves.at(static_cast<size_t>(leaf)), sink.dims, at);
      if (sink.kind == pdg::Sink::Kind::Report && firstNan_.empty() && containsNan(value)) noteNan(sink, at);
      return value;
    });
  }

  const std::string& firstNan() const { return firstNan_; }

  // The points for which `show` holds of a sink that waits for the run's end.
  void showWhere(int number, const std::function<bool(const Point&)>& show) {
    interpreter::SinkPoints(graph_.sinks()[static_cast<size_t>(number)]).forEach([&](const Point& at) {
      if (show(at)) reached(number, at);
      return true;
    });
  }

  void allPrints() {
    for (size_t k = 0; k < graph_.sinks().size(); ++k)
      if (graph_.sinks()[k].kind == pdg::Sink::Kind::Print) showWhere(static_cast<int>(k), [](const Point&) { return true; });
  }

 private:
  void checkEnds(const pdg::Sink& sink, const pdg::Read& leaf, const Point& at) const {
    for (const schedule::PastEndCheck& check : schedule::pastEndChecks(graph_, leaf)) {
      const int64_t limit = values_.read(check.end, sink.dims, at).elements.front().asInt() + check.beyond;
      const int64_t position = check.position.evaluate([&](pdg::Var var) {
        return at.at(static_cast<size_t>(std::find(sink.dims.begin(), sink.dims.end(), var) - sink.dims.begin()));
      });
      if (position < limit) continue;
      const pdg::Node& node = graph_.node(leaf.producer);
      const std::string dim = graph_.dim(check.dim).name;
      throw interpreter::RuntimeFault(diagnostics::Kind::PastEndFault, "`" + node.name + "` is read past end(" + dim + ")",
                                      sink.span, node.name, {{dim, position}});
    }
  }

  void noteNan(const pdg::Sink& sink, const Point& at) {
    firstNan_ = "`" + sink.label + "`";
    for (size_t d = 0; d < at.size(); ++d)
      firstNan_ += (d ? ", " : " at ") + graph_.dim(sink.dims[d]).name + " = " + std::to_string(at[d]);
  }

  const pdg::Graph& graph_;
  const HostValues& values_;
  interpreter::SinkRouter& router_;
  std::string firstNan_;
  std::vector<std::vector<const pdg::Read*>> leaves_;  // [sink]
};

NativeProgram::NativeProgram(const pdg::Graph& graph, const cpu::CompileOptions& options, const MemoryLimit& limit)
    : NativeProgram([options](const loops::Program& program) { return std::make_unique<CpuMachine>(program, options); }, graph, limit) {}

NativeProgram::NativeProgram(MachineMaker make, const pdg::Graph& graph, const MemoryLimit& limit)
    : graph_(graph), make_(std::move(make)) {
  schedule::flattenMerges(graph_);
  schedule::copyPrintedPoints(graph_);
  // The best order first; the last finds some order for nearly everything.
  for (int attempt = 0;; ++attempt) {
    const bool splitByReads = attempt % 2 == 1, scanWider = attempt >= 2;
    statements_ = schedule::makeStatements(graph_, splitByReads);
    try {
      schedule_ = schedule::makeSchedule(graph_, statements_, schedule::findDependences(graph_, statements_), scanWider);
      break;
    } catch (const schedule::NoOrder&) {
      if (attempt == 3) throw;
    } catch (const polyhedral::OperationLimit&) {
      if (attempt == 3) throw InternalError("the order of the program's equations could not be found within its time limit");
    }
  }
  schedule::chooseExecution(graph_, statements_, schedule_);
  lowered_ = loops::lower(graph_, statements_, schedule_, schedule::chooseStorage(graph_, statements_, schedule_));
  machine_ = make_(lowered_.program);
  fit(limit);
}

void NativeProgram::fit(const MemoryLimit& limit) {
  const int64_t allowed = limit.bytes > 0 ? limit.bytes : machine_->memoryBytes();
  if (allowed <= 0 || plannedBytes(limit.threads) <= allowed) return;
  const std::string needs = needsText(graph_, lowered_, *machine_, limit.bytes > 0 ? 1 : limit.threads, allowed);
  if (limit.bytes == 0 || !machine_->mapsFiles()) throw DoesNotFit(needs);
  // Fewer lanes at a time, then fewer tensors in memory.
  mostThreads_ = limit.threads;
  while (mostThreads_ > 1 && machine_->scratchBytes(mostThreads_) > allowed / 2) --mostThreads_;
  loops::Program& program = lowered_.program;
  const int64_t left = allowed - machine_->scratchBytes(mostThreads_);
  if (left < 0 || !loops::fitMemory(program, lowered_.memory, left) || program.arenaBytes - program.residentBytes > freeFileBytes())
    throw DoesNotFit(needs);
  machine_ = make_(program);
}

int64_t NativeProgram::plannedBytes(int threads) const { return lowered_.program.residentBytes + machine_->scratchBytes(threads);
}

NativeProgram::~NativeProgram() = default;

RunResult NativeProgram::run(interpreter::SinkOutput& output, const interpreter::RunControl& control,
                             const RunOptions& options) const {
  const std::unique_ptr<Execution> execution = machine_->prepare();
  std::vector<std::byte> parameters(static_cast<size_t>(lowered_.program.parameterBytes) + 8);
  for (size_t k = 0; k < graph_.params().size(); ++k)
    storeScalar(options.params.empty() ? graph_.params()[k].value : options.params.at(k),
                parameters.data() + lowered_.parameterOffset[k]);

  const HostValues values(graph_, lowered_, execution->arena());
  interpreter::SinkRouter router(graph_, output, control);
  SinkReader reader(graph_, values, router);
  const StopWatcher watcher(control.stop);
  cpu::Progress progress;
  RunRequest request;
  request.parameters = parameters;
  request.seed = options.seed;
  request.threads = mostThreads_ > 0 ? std::min(options.threads, mostThreads_) : options.threads;
  request.stop = &watcher.flag();
  request.emit = [&](int sink, std::span<const int64_t> at) { reader.reached(sink, Point(at.begin(), at.end())); };
  request.reads = [&](int sink, std::span<const int64_t> at) {
    const pdg::Sink& of = graph_.sinks()[static_cast<size_t>(sink)];
    std::vector<ByteRange> ranges;
    for (const pdg::Read& read : schedule::hostReads(graph_, of)) ranges.push_back(values.rangeOf(read, of.dims, Point(at.begin(), at.end())));
    return ranges;
  };
  request.progress = &progress;
  request.regionSeconds = options.regionSeconds;

  cpu::Outcome outcome;
  std::exception_ptr thrown;  // by the host: what a sink reads is past its end
  bool left = true;           // before all had been computed
  try {
    outcome = execution->run(request);
    left = outcome.kind != cpu::Outcome::Kind::Ok;
    if (outcome.kind == cpu::Outcome::Kind::Ok) reader.allPrints();
  } catch (const interpreter::RuntimeFault&) {
    thrown = std::current_exception();
  } catch (const runtime::DeviceError&) {
    router.finish();  // what has come from the device is written; its memory can't be read any more
    throw;
  }
  const bool finished = outcome.kind == cpu::Outcome::Kind::Ok && !thrown;
  if (left) showCompleted(interruptionOf(outcome, progress), reader);
  router.finish();
  std::string firstNan = reader.firstNan();
  if (options.findNan && finished && !firstNan.empty())
    firstNan = findFirstNan(graph_, statements_, schedule_, lowered_.storage, make_, request).value_or(firstNan);
  if (thrown) std::rethrow_exception(thrown);
  if (outcome.kind == cpu::Outcome::Kind::Fault) throw faultOf(lowered_.program, outcome);
  return {finished ? RunEnd::Finished : RunEnd::Stopped, options.countPages ? execution->touchedBytes() : 0, firstNan};
}

schedule::Interruption NativeProgram::interruptionOf(const cpu::Outcome& outcome, const cpu::Progress& progress) const {
  schedule::Interruption where;
  where.root = progress.root;
  where.iteration = progress.iteration;
  if (outcome.kind != cpu::Outcome::Kind::Fault) return where;
  const loops::Fault& fault = lowered_.program.faults.at(static_cast<size_t>(outcome.fault));
  where.statement = fault.statement;
  where.loops.assign(outcome.coordinates.begin() + static_cast<std::ptrdiff_t>(fault.coordinateNames.size()), outcome.coordinates.end());
  return where;
}

void NativeProgram::showCompleted(const schedule::Interruption& where, SinkReader& reader) const {
  const schedule::Completion completion(graph_, statements_, schedule_, where);
  const auto inRing = [&](const pdg::Read& read) {
    const auto& dims = lowered_.storage[static_cast<size_t>(read.producer)].dims;
    return std::any_of(dims.begin(), dims.end(), [](const schedule::DimStorage& dim) { return dim.ring; });
  };
  for (size_t k = 0; k < graph_.sinks().size(); ++k) {
    const pdg::Sink& sink = graph_.sinks()[k];
    const std::vector<pdg::Read> reads = schedule::hostReads(graph_, sink);
    if (std::any_of(reads.begin(), reads.end(), inRing)) continue;  // emitted as it came up: later points took its place
    const auto emit = std::find_if(statements_.list.begin(), statements_.list.end(), [&](const schedule::Statement& s) {
      return s.role == schedule::Statement::Role::Emit && s.sink == static_cast<int>(k);
    });
    const auto complete = [&](const Point& at) {
      if (emit != statements_.list.end() && completion.ran(static_cast<int>(emit - statements_.list.begin()), at)) return false;
      return std::all_of(reads.begin(), reads.end(), [&](const pdg::Read& read) {
        Point point;
        for (const pdg::IndexExpr& e : read.at)
          point.push_back(e.evaluate([&](pdg::Var var) {
            return at.at(static_cast<size_t>(std::find(sink.dims.begin(), sink.dims.end(), var) - sink.dims.begin()));
          }));
        return completion.has(read.producer, point);
      });
    };
    try {
      reader.showWhere(static_cast<int>(k), complete);
    } catch (const interpreter::RuntimeFault&) {
      // The run's own end is what is told.
    }
  }
}

}  // namespace rlc::native
