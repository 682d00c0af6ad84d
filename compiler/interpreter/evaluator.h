// Evaluates points of the graph on demand, each once, with a work stack of its own: a chain of a
// million points costs memory, not C++ stack.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/interpreter/compiled_node.h"
#include "compiler/interpreter/sink_driver.h"
#include "compiler/pdg/ends.h"
#include "compiler/pdg/printer.h"
#include "compiler/polyhedral/set.h"
#include "jit/runtime/fault.h"

namespace rlc::interpreter {

class Evaluator {
 public:
  // `params` by ParamId. The graph outlives the evaluator and stays as it is.
  Evaluator(const pdg::Graph& graph, uint64_t seed, std::vector<Scalar> params);

  // The value at a point of the node's domain. Throws RuntimeFault; the evaluator can be used again
  // afterwards.
  DenseTensor evaluate(NodeId id, const Point& point);

  // What a read by someone outside the graph (a sink) gives: `dims` are the variables that it is
  // over.
  class OutsideRead {
   public:
    OutsideRead() = default;

   private:
    friend class Evaluator;
    CompiledRead read_;
  };
  OutsideRead prepare(const pdg::Read& read, const std::vector<Var>& dims);
  // Reads the whole tensor at the point that the read's subscripts give.
  DenseTensor evaluate(const OutsideRead& read, const Point& at);
  // Whether that point has been evaluated before.
  bool isDone(const OutsideRead& read, const Point& at);

  // Asked every few thousand points; true: StopRequested is thrown.
  void stopWhen(std::function<bool()> stop) { stop_ = std::move(stop); }
  // Bytes of values to keep; past it, a fault.
  void limitMemory(int64_t bytes) { memory_limit_ = bytes; }
  // The first NaN that an operation made of numbers that were none, by order of computation.
  struct NanOrigin {
    std::string tensor;
    std::vector<std::pair<std::string, int64_t>> point;
    diagnostics::Span span;
  };
  const std::optional<NanOrigin>& firstNan() const { return first_nan_; }

  // How many points have been computed: for tests and progress.
  int64_t pointsComputed() const { return points_computed_; }

 private:
  struct Pending {
    NodeId node;
    int64_t key;
    int64_t cursor;  // FirstTrue: the first value not tried yet
    bool started;
  };
  struct Demand {
    NodeId node;
    int64_t key;
  };
  CompiledNode& compiled(NodeId id);
  int64_t keyOf(const CompiledNode& node, const int64_t* coordinates) const;  // -1: outside the box
  void run(NodeId id, int64_t key);
  void drain();
  void account(const CompiledNode& node);
  void watchNan(const CompiledNode& node, const Cell* cells);

  // One attempt at a point: fills its cells, or leaves what it lacks in missing_.
  void attempt(CompiledNode& node, Pending& pending, Cell* out);
  void enterPoint(CompiledNode& node, int64_t key);
  void evaluateMap(CompiledNode& node, const pdg::Map& map, Cell* out);
  void evaluateIndex(CompiledNode& node, Cell* out);
  void evaluateMerge(CompiledNode& node, Cell* out);
  void evaluateReduce(CompiledNode& node, const pdg::Reduce& reduce, Pending& pending, Cell* out);
  void evaluateDraw(CompiledNode& node, const pdg::Draw& draw, Cell* out);
  void evaluateTreeUpdate(CompiledNode& node, const pdg::TreeUpdate& update, Cell* out);
  void evaluatePointUpdate(CompiledNode& node, Cell* out);
  void evaluateTreeFind(CompiledNode& node, const pdg::TreeFind& find, Cell* out);
  void evaluateSort(CompiledNode& node, const pdg::Sort& sort, Cell* out);

  // The scalar that the input reads at the current variables; false: not there yet, and demanded.
  bool fetch(CompiledNode& node, int input, Cell& out);
  bool fetchValues(CompiledNode& node, const std::vector<int>& inputs);
  // Whether the ends of the read's indices are known and not passed. The producer's point is in
  // coordinates_.
  bool checkUntil(const CompiledRead& read, const std::string& reader, diagnostics::Span span);
  // The slot of the value; -1: not there yet, and demanded.
  int64_t demand(CompiledNode& producer, int64_t key);

  using Told = std::vector<std::pair<std::string, int64_t>>;  // of where a fault came up
  [[noreturn]] void failRead(const CompiledNode& node, int input);
  // `more`: what is told behind the node's indices.
  [[noreturn]] void fault(const CompiledNode& node, diagnostics::Kind kind,
                          const std::string& message, const Told& more = {});

  const pdg::Graph& graph_;
  uint64_t seed_;
  std::vector<Scalar> params_;
  std::vector<std::string> names_;  // to call nodes by
  std::vector<pdg::EndingIndex> endings_;
  std::map<NodeId, pdg::Before> before_end_;
  std::vector<std::unique_ptr<CompiledNode>> nodes_;
  std::vector<Pending> stack_;
  std::vector<Demand> missing_;
  std::vector<int64_t> vars_, values_, coordinates_, extents_;
  int64_t points_computed_ = 0;
  std::function<bool()> stop_;
  int64_t memory_used_ = 0, memory_limit_ = INT64_MAX;
  std::optional<NanOrigin> first_nan_;
};

}  // namespace rlc::interpreter
