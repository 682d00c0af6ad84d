// A node prepared for evaluation: expressions over one flat array of variables, its bounding box,
// its values so far.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/interpreter/compiled_expr.h"
#include "compiler/interpreter/memo.h"
#include "compiler/pdg/before_end.h"
#include "compiler/pdg/graph.h"

namespace rlc::interpreter {

using pdg::NodeId;

// A read of a tensor over an index that ends on a condition: its coordinate must be below end +
// offset.
struct UntilCheck {
  int coordinate = 0;  // of the producer
  int64_t offset = 0;
  NodeId end = -1;
  std::vector<CompiledExpr> at;  // the point of `end`, over the consumer's variables
};

struct CompiledRead {
  NodeId producer = -1;
  std::vector<CompiledExpr> at, element;
  std::vector<int> values;  // the inputs whose values the expressions take
  bool checked = false;     // a gather without a proven range: membership is tested
  std::vector<UntilCheck> untils;
};

struct CompiledKey {
  int own = 0;  // slot
  CompiledExpr expr;
  std::vector<int> values;
};

struct CompiledPiece {
  CompiledSet domain;
  CompiledCondition element;
};

struct CompiledNode {
  const pdg::Node* node = nullptr;
  // Variables stand in the order of pdg::readVariables: dims, element positions, bound.
  int rank = 0, axes = 0, variables = 0;
  CompiledSet domain;
  std::vector<int64_t> lo, extent;  // the bounding box
  int64_t volume = 1;
  bool fixedShape = true;
  std::vector<CompiledExpr> shape;
  std::vector<int64_t> maxShape, strides;  // storage: row-major in the largest shape
  int64_t elements = 1;
  std::vector<CompiledRead> inputs;
  std::vector<Cell> constant;  // constants and params: no memo
  bool isConstant = false;
  // By op.
  CompiledExpr index;  // IndexValue
  std::vector<int> indexValues;
  bool filterEnds = false;  // Reduce: a filter that is false stays so along the last bound variable
  bool endsFirst = false;   // Map, and: its left side says whether indices have ended
  CompiledScan scan;        // Reduce
  std::vector<CompiledKey> keys;
  CompiledExpr otherwise;
  std::vector<CompiledPiece> pieces;  // Merge
  Memo memo;

  int elementSlot(int axis) const { return rank + axis; }
  int boundSlot(int number) const { return rank + axes + number; }
};

// `params` by ParamId. `beforeEnd`: for each `end` node (by id) what it depends on; reads by that
// can't be held to it.
CompiledNode compileNode(const pdg::Graph& graph, const pdg::Node& node,
                         const std::vector<Scalar>& params,
                         const std::map<NodeId, pdg::Before>& beforeEnd);

// The checks of a read by something that stands at `dims` and lies behind no `end`: sinks and nodes
// alike.
std::vector<UntilCheck> untilChecks(const pdg::Graph& graph, const pdg::Read& read,
                                    const Slots& slots,
                                    const std::map<NodeId, pdg::Before>& beforeEnd,
                                    NodeId consumer);

}  // namespace rlc::interpreter
