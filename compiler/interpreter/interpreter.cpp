#include "compiler/interpreter/interpreter.h"

#include <unistd.h>

#include <algorithm>

namespace rlc::interpreter {

namespace {

std::vector<Scalar> paramValues(const pdg::Graph& graph, std::vector<Scalar> given) {
  if (!given.empty()) return given;
  std::vector<Scalar> values;
  for (const pdg::ParamInfo& param : graph.params()) values.push_back(param.value);
  return values;
}

int64_t defaultMemoryLimit() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<int64_t>(pages) * bytes / 4 * 3 : INT64_MAX;
}

}  // namespace

Interpreter::Interpreter(const pdg::Graph& graph, Options options)
    : graph_(graph),
      evaluator_(graph, options.seed, paramValues(graph, std::move(options.params))) {
  evaluator_.limitMemory(options.memoryLimit > 0 ? options.memoryLimit : defaultMemoryLimit());
}

RunEnd Interpreter::run(SinkOutput& output, const RunControl& control) {
  sinks_.clear();
  for (const pdg::Sink& sink : graph_.sinks()) {
    SinkReads reads;
    pdg::forEachLeaf(sink.value, [&](const pdg::Read& leaf) {
      reads.leaves.push_back(evaluator_.prepare(leaf, sink.dims));
    });
    if (sink.where) reads.where.push_back(evaluator_.prepare(*sink.where, sink.dims));
    sinks_.push_back(std::move(reads));
  }
  evaluator_.stopWhen(control.stop);
  return runSinks(graph_, *this, output, control);
}

DenseTensor Interpreter::leaf(int sink, int number, const Point& at) {
  return evaluator_.evaluate(
      sinks_.at(static_cast<size_t>(sink)).leaves.at(static_cast<size_t>(number)), at);
}

bool Interpreter::known(int sink, const Point& at) {
  const SinkReads& reads = sinks_.at(static_cast<size_t>(sink));
  const auto done = [&](const Evaluator::OutsideRead& read) { return evaluator_.isDone(read, at); };
  return std::all_of(reads.leaves.begin(), reads.leaves.end(), done) &&
         std::all_of(reads.where.begin(), reads.where.end(), done);
}

bool Interpreter::holds(int sink, const Point& at) {
  return evaluator_.evaluate(sinks_.at(static_cast<size_t>(sink)).where.front(), at)
      .elements.front()
      .asBool();
}

}  // namespace rlc::interpreter
