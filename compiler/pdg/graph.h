// The polyhedral dependence graph: tensors over index domains, and which point of which tensor each
// point reads.
//
// A node has a value at every integer point of `domain` (over its ordered `dims`); the value is a
// dense tensor of element type `type` and shape `shape`. An input is a read: for the consumer's
// point (and element), which point and element of the producer. Records, tuples, distributions and
// functions do not exist here: sema has taken them apart.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/diagnostics/span.h"
#include "compiler/polyhedral/set.h"
#include "compiler/types/scalar.h"
#include "compiler/types/scalar_op.h"

namespace rlc::pdg {

using diagnostics::Span;
using polyhedral::Condition;
using polyhedral::Context;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

using NodeId = int32_t;
using ParamId = int32_t;

// The place of a node in a list that has an entry for each, and how long the list is for a graph's
// size.
constexpr size_t at(NodeId id) { return static_cast<size_t>(id); }

// What is told where a subscript that is data leaves the producer's domain: the reader, its place
// and its point as they were in the source, however passes move the read.
struct ReadOrigin {
  struct Coordinate {
    std::string name;
    IndexExpr value;  // over the variables of the node that has the read now
  };
  Span span;
  std::string tensor;
  std::string message;
  std::vector<Coordinate> point;
};

// A read of what lies past the end of an index: it does where all of `where`, over the consumer's
// variables, with Value atoms of the ends, are at least 0. Like an origin, it moves with the read.
struct PastEnd {
  std::vector<IndexExpr> where;
  std::shared_ptr<const ReadOrigin> origin = nullptr;
};

// A dependence, pointing from the consumer to what it reads. `at` has one expression for each dim
// of the producer, `element` one for each of its element axes, both over the consumer's variables:
// its dims, its bound variables (Reduce) and its own element positions (Var::element(axis)). A
// Value(k) atom is the value of the consumer's input number k, read at the same variables: a
// gather.
struct Read {
  NodeId producer = -1;
  std::vector<IndexExpr> at;
  std::vector<IndexExpr> element;
  std::shared_ptr<const ReadOrigin> origin = nullptr;  // subscript_faults.h notes it
  std::vector<PastEnd> past = {};                      // passes/past_ends.h notes it: faults
};

// ---- operations ---------------------------------------------------------------------------------
// Data inputs come first, in the order given; inputs that only serve Value atoms follow.

struct Constant {  // no data inputs; shape is the tensor's
  DenseTensor value;
};
struct IndexValue {  // I32: the value of an expression of dims and element positions; no data
                     // inputs
  IndexExpr expr;
  std::string wayOut = "";  // of a requirement (requirements.h) that fails; may be empty
};
struct Param {  // scalar, no dims: a run-time input of the program; one node for each param
  ParamId param = -1;
};
struct Map {  // element-wise; data inputs: the operands (scalars of the reads)
  ScalarOp op = ScalarOp::Add;
  bool fits = false;  // Cast: proved to fit the type, wherever anything asks for it
};
struct Detach {  // identity with gradient zero; one data input
  // By the program, as what is drawn, as what a sum tree holds.
  enum class Why : uint8_t { Asked, Draw, Priority };
  Why why = Why::Asked;  // for diagnostics only
};
enum class ReduceKind : uint8_t {
  Sum,
  Prod,
  Max,
  Min,  // Max, Min propagate NaN; of an empty set: a fault
  All,
  Any,  // Bool
  ArgMax,
  ArgMin,     // I32: the value of bound[0], the first on ties; NaN wins, as in NumPy
  FirstTrue,  // I32: the first value of bound[0] (ascending) at which the body holds, plus 1;
              // `otherwise` if none
};
struct Reduce {  // data inputs: body, [filter: Bool, only points where it holds count]
  ReduceKind kind = ReduceKind::Sum;
  std::vector<Var> bound;  // range variables, outermost first; combined in lexicographic order
  Set domain;              // over the node's dims, any of its element positions, then `bound`
  bool hasFilter = false;
  // Scatter: only bound points where each expression (over dims and bound, with Value atoms) equals
  // the node's own variable.
  struct Key {
    Var own;
    IndexExpr expr;
  };
  std::vector<Key> keys;
  IndexExpr otherwise;  // FirstTrue
};
struct Merge {  // data inputs: one for each piece; pieces are disjoint and cover the domain
  struct Piece {
    Set domain;                               // over the node's dims
    Condition element = Condition::always();  // over dims and element positions
  };
  std::vector<Piece> pieces;
};
enum class DrawKind : uint8_t {
  Uniform01,       // F32, F64: in [0, 1)
  StandardNormal,  // F32, F64
  UniformInt,      // I32; data inputs lo, hi (half open); empty range: a fault
  Categorical,     // I32; data input: logits; its last element axis is bound as Draw::category
  Permutation,     // I32[n]; no data inputs; the last axis of shape is n
  StandardGamma,   // F32; data input: shape parameter > 0
};
struct Draw {
  DrawKind kind = DrawKind::Uniform01;
  std::string stream;      // stable name; hashed to the stream id
  Var category;            // Categorical: the variable that stands for the class in input 0's read
  int64_t categories = 0;  // Categorical: how many
  int64_t part = 0, parts = 1;  // of the names that are drawn together, whose elements alternate:
                                // element e is number e * parts + part
};
struct Sort {  // data input 0: the vector along `axis` of this node's shape, read at this node's
               // element positions
  int axis = 0;
  bool positions = false;  // I32 positions instead of values (argsort)
  bool descending = false;
};
// Sum trees (jit/runtime/sum_tree.h) are values: F32 vectors of nodes, whose layout the capacity
// and the fan-out, a power of two, give.
struct TreeShape {
  int64_t capacity = 1;
  int fanout = 16;
};
struct TreeUpdate {  // the tree of input 0, read at this node's element, with some priorities set
  TreeShape tree;    // data inputs: the tree before; positions, I32; priorities, F32: both for each
                     // `entry` in 0..entries
  Var entry;  // of equal positions the last counts; a position outside of 0..capacity: a fault
  int64_t entries = 1;
};
// I32: the first position at which the running sum of priorities exceeds input 1 (F32, in [0, 1))
// times their total, as the tree's descent rounds it; no priority that is positive: a fault.
struct TreeFind {
  TreeShape tree;
  Var node;  // data inputs: the tree's nodes, for each `node` in 0..nodes; the fraction of the
             // total
  int64_t nodes = 1;
};
// One element changed: the value where every key's own variable, a dim or an element position, is
// what the key's expression says, and what was there before elsewhere. A key's expression mentions
// dims (with Value atoms) and the variables of the keys before it. Made by passes/point_updates.
struct PointUpdate {  // data inputs: before; value
  using Key = Reduce::Key;
  std::vector<Key> keys;
};
// d loss / d wrt: at each point of the node, the derivative of the scalar that input 0 reads with
// respect to the value that input 1 reads (all of the producer's elements: shape is the
// producer's), wherever it is read. Replaced by compiler/autodiff.
struct Grad {};

using Op = std::variant<Constant, IndexValue, Param, Map, Detach, Reduce, Merge, Draw, Sort,
                        TreeUpdate, TreeFind, PointUpdate, Grad>;

struct Node {
  NodeId id = -1;
  std::string name;  // the user's name for it ("θ.net.W"), or empty
  Span span;
  std::vector<Var> dims;  // outermost first
  Set domain;             // over dims
  DType type = DType::F32;
  std::vector<IndexExpr> shape;  // extents over dims; constants but for slices of varying length
  Op op;
  std::vector<Read> inputs;
  bool again = false;    // computes what another node does, for readers that come later
  bool adjoint = false;  // made for a gradient: zero where what it is of has no value, past an end

  int dataInputs() const;              // how many inputs are operands; the others serve Value atoms
  std::vector<Var> variables() const;  // dims, then bound variables, then element positions
};

// An index or a range variable.
struct Dim {
  std::string name;
  Span span;
  bool isRange = false;  // a range variable
  IndexExpr lo, hi;      // declared range, hi exclusive; over dims declared before
  NodeId end = -1;  // `until`: the node with the value of end(dim); -1: none. Domains span lo..hi
                    // all the same; reductions over the dim and sinks carry a filter dim < end
};

struct ParamInfo {
  std::string name;
  Span span;
  Scalar value;
};

// What a sink shows at a point: a tree whose leaves are reads over the sink's dims and the leaf's
// element positions (element: identity).
struct SinkValue {
  std::variant<Read, std::vector<std::pair<std::string, SinkValue>>, std::vector<SinkValue>>
      node;  // leaf, record, tuple
};
struct Sink {
  enum class Kind : uint8_t { Print, Report, Save };
  Kind kind = Kind::Print;
  std::string label;
  Span span;
  std::vector<Var> dims;
  Set domain;
  SinkValue value;
  std::optional<Read> where;  // Bool: only points where it holds (ranges that end on a condition)
  int64_t every =
      1;  // report, save: each `every`-th point of `everyDim` (from its first) and the last
  std::optional<Var> everyDim;
};

class Graph {
 public:
  explicit Graph(Context& context) : context_(&context) {}

  Context& context() const { return *context_; }
  Var addDim(Dim dim);
  const Dim& dim(Var var) const { return dims_.at(static_cast<size_t>(var.id)); }
  Dim& dim(Var var) { return dims_.at(static_cast<size_t>(var.id)); }
  int dimCount() const { return static_cast<int>(dims_.size()); }

  NodeId add(Node node);  // sets node.id
  const Node& node(NodeId id) const { return nodes_.at(static_cast<size_t>(id)); }
  Node& node(NodeId id) { return nodes_.at(static_cast<size_t>(id)); }
  const std::vector<Node>& nodes() const { return nodes_; }
  int size() const { return static_cast<int>(nodes_.size()); }

  ParamId addParam(ParamInfo param);
  std::vector<ParamInfo>& params() { return params_; }
  const std::vector<ParamInfo>& params() const { return params_; }
  std::vector<Sink>& sinks() { return sinks_; }
  const std::vector<Sink>& sinks() const { return sinks_; }

  // Dims by name, "_" where they have none, element positions as e0, e1, ...
  polyhedral::VarNamer namer() const;

 private:
  Context* context_;
  std::vector<Dim> dims_;
  std::vector<Node> nodes_;
  std::vector<ParamInfo> params_;
  std::vector<Sink> sinks_;
};

// Visits every leaf of a sink's value.
void forEachLeaf(const SinkValue& value, const std::function<void(const Read&)>& visit);
void forEachLeaf(SinkValue& value, const std::function<void(Read&)>& visit);

}  // namespace rlc::pdg
