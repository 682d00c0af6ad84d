// A dependence graph compiled for a device: everything between the graph and its running sinks.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "compiler/loops/lower.h"
#include "compiler/schedule/completion.h"
#include "compiler/schedule/expand_point_updates.h"
#include "compiler/schedule/sum_orders.h"
#include "jit/host/built_program.h"
#include "jit/host/run.h"
#include "jit/native/machine.h"

namespace rlc::native {

using host::Point;
using host::RunResult;

struct RunOptions : host::RunOptions {
  bool findNan = true;  // run again to the first NaN, once a report has shown one
};

// What a run may use, of the arena and of each thread's scratch memory.
struct MemoryLimit {
  int64_t bytes = 0;  // 0: the machine's memory
  int threads = 1;    // that will run it
};

// The program needs more memory than it may use: a sentence and a table of what needs how much.
class DoesNotFit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class NativeProgram {
 public:
  // The graph has its gradients expanded.
  // Under a limit tensors are computed again where later loops read them, or move to a mapped file,
  // or from a device to its host, until the rest fits, and fewer threads may run; results stay the
  // same bit for bit. Throws DoesNotFit, and DeviceError where there is too little room elsewhere.
  NativeProgram(const pdg::Graph& graph, const cpu::CompileOptions& options,
                const MemoryLimit& limit = {});
  NativeProgram(MachineMaker make, const pdg::Graph& graph, const MemoryLimit& limit = {});
  ~NativeProgram();

  // Throws runtime::RuntimeFault; what came before it has been written. Reports appear as soon as
  // they are computed.
  RunResult run(runtime::SinkOutput& output, const runtime::RunControl& control,
                const RunOptions& options) const;
  // What run tells of a run's end; the program outlives it.
  host::Insight insight(bool findNan) const;

  const pdg::Graph& graph() const { return graph_; }  // with its equations split into statements
  const schedule::Statements& statements() const { return statements_; }
  const schedule::Schedule& schedule() const { return schedule_; }
  const loops::Lowered& lowered() const { return lowered_; }
  const host::Plan& plan() const { return plan_; }
  host::BuiltProgram built() const;  // its plan and its memory; nothing of its source
  const Machine& machine() const { return *machine_; }
  int64_t plannedBytes(
      int threads) const;  // memory that a run takes: the arena but what is mapped, and scratch
  // Changes of one element that are computed for every element all the same, and why.
  const std::vector<schedule::CopiedUpdate>& copiedUpdates() const { return copied_; }
  // Tensors that are computed a second time instead of being kept, for the limit.
  const std::vector<pdg::NodeId>& recomputed() const { return recomputed_; }
  int mostThreads() const { return mostThreads_; }  // that the limit has room for; 0: any number

 private:
  void order(bool insist);  // statements and schedule
  std::vector<schedule::Storage> arrange();
  void fit(const MemoryLimit& limit);
  // Whether tensors have room in `left` bytes without those for transfers, and in what the machine
  // has elsewhere.
  bool fitTensors(int64_t left, int64_t transferBytes);
  void recompute(const MemoryLimit& limit, int64_t excess);
  using Texts = std::multiset<std::string>;
  std::map<pdg::NodeId, Texts> machineSums(const schedule::SumOrders& sums) const;
  int64_t tensorBytes(pdg::NodeId node, int threads) const;
  int64_t tensorBytes(int threads) const;

  // Where a run that did not finish ended; and the sinks' points that were complete by then but had
  // not been shown.
  schedule::Interruption interruptionOf(const runtime::Outcome& outcome,
                                        const runtime::Progress& progress) const;
  std::vector<host::Insight::Shows> completedSinks(const schedule::Interruption& where) const;

  pdg::Graph graph_;
  schedule::Statements statements_;
  schedule::Schedule schedule_;
  std::vector<schedule::CopiedUpdate> copied_;
  std::vector<pdg::NodeId> recomputed_;
  std::map<pdg::NodeId, pdg::NodeId> copies_;  // of those and of what is inlined into them
  loops::Lowered lowered_;
  MachineMaker make_;
  std::unique_ptr<Machine> machine_;
  host::Plan plan_;
  int mostThreads_ = 0;
  int64_t outsideBytes_ = 0;  // that would be elsewhere; 0: nothing that is there would be enough
};

}  // namespace rlc::native
