// The reference: evaluates the untransformed graph point by point, on demand. What compiled code
// computes is right when it agrees with this: draws and integers exactly, floats within tolerance
// (sums are accumulated in double precision). Conditions are lazy: a merge reads the piece that
// covers the point, a selection the side chosen, a filtered reduction the points kept.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/interpreter/evaluator.h"
#include "compiler/interpreter/sink_driver.h"
#include "compiler/pdg/graph.h"
#include "jit/runtime/fault.h"

namespace rlc::interpreter {

struct Options {
  uint64_t seed = 0;
  int64_t memoryLimit = 0;  // bytes of values to keep; 0: three quarters of the machine's
  std::vector<Scalar>
      params;  // by ParamId, of the params' types; empty: the values that the graph carries
};

class Interpreter : private SinkValues {
 public:
  explicit Interpreter(const pdg::Graph& graph, Options options = {});

  // The value of a node at a point of its domain. Throws RuntimeFault.
  DenseTensor evaluate(NodeId id, const Point& point = {}) {
    return evaluator_.evaluate(id, point);
  }

  // Everything that the sinks show. Throws RuntimeFault; what came before it has been written.
  RunEnd run(SinkOutput& output, const RunControl& control = {});

  const std::optional<Evaluator::NanOrigin>& firstNan() const { return evaluator_.firstNan(); }
  int64_t pointsComputed() const { return evaluator_.pointsComputed(); }

 private:
  DenseTensor leaf(int sink, int number, const Point& at) override;
  bool holds(int sink, const Point& at) override;
  bool known(int sink, const Point& at) override;
  void finishing() override { evaluator_.stopWhen(nullptr); }

  const pdg::Graph& graph_;
  Evaluator evaluator_;
  struct SinkReads {
    std::vector<Evaluator::OutsideRead> leaves;
    std::vector<Evaluator::OutsideRead> where;  // none or one
  };
  std::vector<SinkReads> sinks_;
};

}  // namespace rlc::interpreter
