// A dependence graph compiled for a device: everything between the graph and its running sinks.
#pragma once

#include <memory>

#include "compiler/interpreter/fault.h"
#include "compiler/interpreter/sink_driver.h"
#include "compiler/loops/lower.h"
#include "compiler/schedule/completion.h"
#include "jit/native/machine.h"

namespace rlc::native {

struct RunOptions {
  uint64_t seed = 0;
  std::vector<Scalar> params;   // by ParamId; empty: the values that the graph carries
  int threads = 1;
  bool findNan = true;          // run again to the first NaN, once a report has shown one
};

struct RunResult {
  interpreter::RunEnd end = interpreter::RunEnd::Finished;
  std::string firstNan;         // "`v` at i = 3": where the first NaN came up; empty: no report showed one
};

class SinkReader;

class NativeProgram {
 public:
  // The graph has its gradients expanded.
  NativeProgram(const pdg::Graph& graph, const cpu::CompileOptions& options);
  NativeProgram(MachineMaker make, const pdg::Graph& graph);
  ~NativeProgram();

  // Throws interpreter::RuntimeFault; what came before it has been written. Reports appear as soon as they are computed.
  RunResult run(interpreter::SinkOutput& output, const interpreter::RunControl& control,
                const RunOptions& options) const;

  const pdg::Graph& graph() const { return graph_; }  // with its equations split into statements
  const schedule::Statements& statements() const { return statements_; }
  const schedule::Schedule& schedule() const { return schedule_; }
  const loops::Lowered& lowered() const { return lowered_; }
  const Machine& machine() const { return *machine_; }

 private:
  // Where a run that did not finish ended; and the sinks' points that were complete by then but had not been shown.
  schedule::Interruption interruptionOf(const cpu::Outcome& outcome, const cpu::Progress& progress) const;
  void showCompleted(const schedule::Interruption& where, SinkReader& reader) const;

  pdg::Graph graph_;
  schedule::Statements statements_;
  schedule::Schedule schedule_;
  loops::Lowered lowered_;
  MachineMaker make_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace rlc::native
