#include "jit/native/native_program.h"

#include <algorithm>
#include <set>

#include "compiler/loops/memory_plan.h"
#include "compiler/pdg/past_end.h"
#include "compiler/schedule/dependences.h"
#include "compiler/schedule/execution.h"
#include "compiler/schedule/flatten_merges.h"
#include "compiler/schedule/printed_points.h"
#include "compiler/schedule/recompute.h"
#include "compiler/schedule/scheduler.h"
#include "compiler/schedule/storage.h"
#include "jit/host/arena.h"
#include "jit/native/host_plan.h"
#include "jit/native/nan_watch.h"
#include "jit/native/needs.h"

namespace rlc::native {

NativeProgram::NativeProgram(const pdg::Graph& graph, const cpu::CompileOptions& options,
                             const MemoryLimit& limit)
    : NativeProgram({[options](const loops::Program& program) {
                      return std::make_unique<CpuMachine>(program, options);
                    }},
                    graph, limit) {}

NativeProgram::NativeProgram(MachineMaker make, const pdg::Graph& graph, const MemoryLimit& limit)
    : graph_(graph), make_(std::move(make)) {
  schedule::flattenMerges(graph_);
  schedule::copyPrintedPoints(graph_);
  std::vector<schedule::Storage> storage = arrange();
  lowered_ = loops::lower(graph_, statements_, schedule_, std::move(storage));
  machine_ = make_(lowered_.program);
  fit(limit);
  plan_ = hostPlan(graph_, lowered_);
  plan_.mostThreads = mostThreads_;
}

// Changes of single elements pay where they are in place; whether they are, storage tells.
std::vector<schedule::Storage> NativeProgram::arrange() {
  while (true) {
    const std::vector<pdg::NodeId> updates = schedule::pointUpdatesOf(graph_);
    std::vector<pdg::NodeId> expanded;
    const auto expandAround = [&](pdg::NodeId node) {
      for (const auto& update : schedule::unorderedUpdates(graph_, node)) {
        expanded.push_back(update.update);
        copied_.push_back(update);
      }
    };
    try {
      order(updates.empty());
      auto storage = schedule::chooseStorage(graph_, statements_, schedule_);
      for (const auto& copied : schedule::copiedUpdates(graph_, statements_, storage)) {
        expanded.push_back(copied.update);
        copied_.push_back(copied);
      }
      if (expanded.empty()) return storage;
    } catch (const schedule::NoOrder& none) {
      if (updates.empty()) throw;
      expandAround(statements_.list[static_cast<size_t>(none.statement)].node);
    } catch (const polyhedral::OperationLimit&) {
      if (updates.empty()) throw;
      expandAround(-1);
    }
    if (expanded.empty()) expanded = updates;
    schedule::expandPointUpdates(graph_, expanded);
  }
}

// `insist`: with worse orders, if need be.
void NativeProgram::order(bool insist) {
  // The best order first; the last finds some order for nearly everything.
  std::string late;  // what there was no time for
  for (int attempt = 0;; ++attempt) {
    const bool splitByReads = attempt % 2 == 1, scanWider = attempt >= 2, last = attempt == 3;
    statements_ = schedule::makeStatements(graph_, splitByReads);
    try {
      schedule_ = schedule::makeSchedule(graph_, statements_,
                                         schedule::findDependences(graph_, statements_), scanWider);
      break;
    } catch (const schedule::NoOrder& none) {
      if (none.outOfTime) late = none.what();
      if (!insist || (last && late.empty())) throw;
    } catch (const polyhedral::OperationLimit&) {
      if (!insist || (last && late.empty())) throw;
    }
    if (last) throw schedule::OrderLimit(late);
  }
  schedule::chooseExecution(graph_, statements_, schedule_, make_.lanes);
}

void NativeProgram::fit(const MemoryLimit& limit) {
  if (limit.bytes == 0 && machine_->memoryBytes() <= 0) return;
  const int64_t planned = plannedBytes(limit.threads);  // compiles, which takes memory itself
  const int64_t allowed = limit.bytes > 0 ? limit.bytes : machine_->memoryBytes();
  if (planned <= allowed) return;
  const std::string needs = needsText(
      graph_, lowered_, *machine_, limit.bytes > 0 ? 1 : limit.threads, allowed, limit.bytes > 0);
  if (limit.bytes == 0) throw DoesNotFit(needs);
  recompute(limit, planned - allowed);
  if (plannedBytes(limit.threads) <= allowed) return;
  if (machine_->noOverflowRoom(0).empty()) throw DoesNotFit(needs);
  // Fewer threads, each with its lanes; then what threads work with lies in a file, or fewer lanes
  // run at a time; then fewer tensors in memory.
  mostThreads_ = limit.threads;
  while (mostThreads_ > 1 && machine_->scratchBytes(mostThreads_) > allowed / 2) --mostThreads_;
  loops::Program& program = lowered_.program;
  if (machine_->scratchBytes(1) > allowed / 2) {
    program.scratchInFile = true;
    program.scratchLimit = allowed - std::min(program.residentBytes, allowed / 2);
    mostThreads_ = limit.threads;
    machine_ = make_(program);
  }
  const int64_t left = allowed - machine_->scratchBytes(mostThreads_);
  const int64_t transfers = program.residentBytes > left ? machine_->transferBytes(left) : 0;
  // Copies ahead of their use take memory, too: without them fewer tensors are elsewhere.
  if (!fitTensors(left, transfers) && (transfers == 0 || !fitTensors(left, 0))) {
    if (outsideBytes_ > 0) throw runtime::DeviceError(machine_->noOverflowRoom(outsideBytes_));
    throw DoesNotFit(needs);
  }
  machine_ = make_(program);
}

bool NativeProgram::fitTensors(int64_t left, int64_t transferBytes) {
  loops::Program& program = lowered_.program;
  loops::MemoryPlan plan = lowered_.memory;
  outsideBytes_ = 0;
  if (left < 0 || !loops::fitMemory(program, plan, left - transferBytes)) return false;
  outsideBytes_ =
      program.arenaBytes - program.residentBytes + machine_->fileScratchBytes(mostThreads_);
  if (outsideBytes_ > machine_->overflowBytes()) return false;
  program.transferBytes = transferBytes;
  lowered_.memory = std::move(plan);
  return true;
}

// What the tensor takes, for as many lanes as a thread works with at a time where it is theirs.
int64_t NativeProgram::tensorBytes(pdg::NodeId node, int threads) const {
  constexpr int64_t kLanes = 16;
  const schedule::Storage& storage = lowered_.storage[static_cast<size_t>(node)];
  if (storage.node < 0) return 0;
  return storage.elements * static_cast<int64_t>(byteSize(graph_.node(node).type)) *
         (storage.perLane ? kLanes * threads : 1);
}

int64_t NativeProgram::tensorBytes(int threads) const {
  int64_t bytes = lowered_.program.residentBytes;
  for (const pdg::Node& node : graph_.nodes())
    if (lowered_.storage[static_cast<size_t>(node.id)].perLane)
      bytes += tensorBytes(node.id, threads);
  return bytes;
}

// Of the tensors that these sums are.
std::map<pdg::NodeId, NativeProgram::Texts> NativeProgram::machineSums(
    const schedule::SumOrders& sums) const {
  std::map<pdg::NodeId, Texts> result;
  for (auto& [buffer, texts] : machine_->sumOrders()) {
    if (buffer < 0) result[-1] = texts;
    for (const auto& [node, order] : sums)
      if (lowered_.bufferOf[static_cast<size_t>(node)] == buffer) result[node] = texts;
  }
  return result;
}

// The largest tensors first, each kept so if it takes less memory then and everything is added up
// as before, until enough is saved.
void NativeProgram::recompute(const MemoryLimit& limit, int64_t excess) {
  constexpr int kMostTrials = 16;
  const int64_t enough = tensorBytes(limit.threads) - excess, fewest = excess / 64;
  const schedule::SumOrders sums = schedule::sumOrders(graph_, statements_, schedule_);
  const auto bySums = machineSums(sums);
  std::set<pdg::NodeId> tried;
  for (int trial = 0; trial < kMostTrials && tensorBytes(limit.threads) > enough; ++trial) {
    pdg::NodeId largest = -1;
    int64_t bytes = fewest;
    for (pdg::NodeId node : schedule::recomputable(graph_, statements_, schedule_)) {
      if (tried.count(node) != 0 || tensorBytes(node, limit.threads) <= bytes) continue;
      largest = node;
      bytes = tensorBytes(node, limit.threads);
    }
    if (largest < 0) break;
    tried.insert(largest);
    const int64_t before = tensorBytes(limit.threads);
    pdg::Graph graph = graph_;
    auto statements = std::move(statements_);
    auto schedule = std::move(schedule_);
    auto lowered = std::move(lowered_);
    auto machine = std::move(machine_);
    auto copied = copied_;
    auto copies = copies_;
    bool less = false;
    try {
      const auto copy =
          schedule::recomputeWhereRead(graph_, statements, schedule, largest, copies_);
      std::vector<schedule::Storage> storage = arrange();
      lowered_ = loops::lower(graph_, statements_, schedule_, std::move(storage));
      less = tensorBytes(limit.threads) + bytes / 2 <= before &&
             schedule::addsUpInOrder(graph_, statements_, schedule_, copy) &&
             schedule::sumOrders(graph_, statements_, schedule_) == sums;
      if (less && !bySums.empty()) {
        machine_ = make_(lowered_.program);
        less = machineSums(sums) == bySums;
      }
      if (less) tried.insert(copy);
    } catch (const schedule::NoOrder&) {
    } catch (const polyhedral::OperationLimit&) {
    }
    if (less) {
      recomputed_.push_back(largest);
      continue;
    }
    graph_ = std::move(graph);
    statements_ = std::move(statements);
    schedule_ = std::move(schedule);
    lowered_ = std::move(lowered);
    machine_ = std::move(machine);
    copied_ = std::move(copied);
    copies_ = std::move(copies);
  }
  if (!machine_) machine_ = make_(lowered_.program);
}

int64_t NativeProgram::plannedBytes(int threads) const {
  return lowered_.program.residentBytes + machine_->scratchBytes(threads);
}

NativeProgram::~NativeProgram() = default;

host::BuiltProgram NativeProgram::built() const {
  host::BuiltProgram built;
  built.plan = plan_;
  built.residentBytes = lowered_.program.residentBytes;
  built.arenaBytes = lowered_.program.arenaBytes;
  built.scratchInFile = lowered_.program.scratchInFile;
  return built;
}

host::Insight NativeProgram::insight(bool findNan) const {
  host::Insight insight;
  insight.completed = [&](const runtime::Outcome& outcome, const runtime::Progress& progress) {
    return completedSinks(interruptionOf(outcome, progress));
  };
  if (findNan)
    insight.findNan = [&](const RunRequest& request) {
      return findFirstNan(graph_, statements_, schedule_, lowered_.storage, make_, request);
    };
  return insight;
}

RunResult NativeProgram::run(runtime::SinkOutput& output, const runtime::RunControl& control,
                             const RunOptions& options) const {
  return host::run(plan_, *machine_->prepare(), output, control, options, insight(options.findNan));
}

schedule::Interruption NativeProgram::interruptionOf(const runtime::Outcome& outcome,
                                                     const runtime::Progress& progress) const {
  schedule::Interruption where;
  where.root = progress.root;
  where.iteration = progress.iteration;
  if (outcome.kind != runtime::Outcome::Kind::Fault) return where;
  const loops::Fault& fault = lowered_.program.faults.at(static_cast<size_t>(outcome.fault));
  where.statement = fault.statement;
  where.loops.assign(
      outcome.coordinates.begin() + static_cast<std::ptrdiff_t>(fault.coordinateNames.size()),
      outcome.coordinates.end());
  return where;
}

std::vector<host::Insight::Shows> NativeProgram::completedSinks(
    const schedule::Interruption& where) const {
  const auto completion =
      std::make_shared<const schedule::Completion>(graph_, statements_, schedule_, where);
  // Whether a later point takes the place of what is read: then it was emitted as it came up.
  const auto inRing = [this](const pdg::Read& read) {
    const pdg::Node& node = graph_.node(read.producer);
    const auto& dims = lowered_.storage[static_cast<size_t>(read.producer)].dims;
    for (size_t k = 0; k < dims.size(); ++k) {
      if (!dims[k].ring) continue;
      const auto at = read.at[k].asConstant();
      const auto lo = node.domain.minimum(pdg::IndexExpr(node.dims[k])),
                 hi = node.domain.maximum(pdg::IndexExpr(node.dims[k]));
      if (!at || !lo || !hi || *at + dims[k].extent <= *hi || *at - dims[k].extent >= *lo)
        return true;
    }
    return false;
  };
  std::vector<host::Insight::Shows> sinks(graph_.sinks().size());
  for (size_t k = 0; k < sinks.size(); ++k) {
    const pdg::Sink& sink = graph_.sinks()[k];
    const std::vector<pdg::Read> reads = pdg::hostReads(graph_, sink);
    if (std::any_of(reads.begin(), reads.end(), inRing)) continue;
    const auto found = std::find_if(
        statements_.list.begin(), statements_.list.end(), [&](const schedule::Statement& s) {
          return s.role == schedule::Statement::Role::Emit && s.sink == static_cast<int>(k);
        });
    const int emit =
        found == statements_.list.end() ? -1 : static_cast<int>(found - statements_.list.begin());
    sinks[k] = [completion, &sink, reads, emit](const Point& at) {
      if (emit >= 0 && completion->ran(emit, at)) return false;
      return std::all_of(reads.begin(), reads.end(), [&](const pdg::Read& read) {
        Point point;
        for (const pdg::IndexExpr& e : read.at)
          point.push_back(e.evaluate([&](pdg::Var var) {
            return at.at(static_cast<size_t>(std::find(sink.dims.begin(), sink.dims.end(), var) -
                                             sink.dims.begin()));
          }));
        return completion->has(read.producer, point);
      });
    };
  }
  return sinks;
}

}  // namespace rlc::native
