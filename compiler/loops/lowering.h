// The lowering's working state, shared by the lower_*.cpp files.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "compiler/loops/lower.h"
#include "compiler/loops/memory_plan.h"
#include "compiler/pdg/printer.h"

namespace rlc::loops {

using pdg::Graph;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;
using schedule::Placed;
using schedule::Placement;
using schedule::ScheduleNode;
using schedule::Statement;
using schedule::Storage;

// What a node's variables (dims, bound variables, element positions) stand for, over the variables
// that loops bind.
using Values = std::map<Var, IndexExpr>;

class Lowering {
 public:
  Lowering(const Graph& graph, const schedule::Statements& statements,
           const schedule::Schedule& schedule, std::vector<Storage> storage,
           const LowerOptions& options);
  Lowered run();

 private:
  // ---- the tree (lower_tree.cpp)
  void makeBuffers();
  void makeParameters();
  void emitRoots();
  void emitNode(const ScheduleNode& node);
  struct Step;
  std::vector<Step> stepsOf(const std::vector<schedule::ScheduleNodePtr>& nodes) const;
  void emitStep(const Step& step);
  void emitNodes(const std::vector<schedule::ScheduleNodePtr>& nodes);
  void emitLoop(const ScheduleNode& loop);
  std::vector<VarId> loopVariables() const;  // of the loops around
  void emitRotations(const ScheduleNode& loop);
  void emitScan(const polyhedral::ScanNode& scan);
  // The statements that `body` appends, inside a schedule loop whose variable is `var`.
  Block insideLoop(const ScheduleNode& loop, VarId var, const std::function<void()>& body);
  std::vector<BufferUse> bufferUses(const std::vector<bool>& readByHost) const;
  std::vector<Stmt::Reduction> reductionsOf(const ScheduleNode& loop) const;

  // ---- statements (lower_statement.cpp)
  void emitStatement(int index, const Condition& guard);
  Condition guardOf(const Placed& placed) const;  // what the loops around leave to test
  void emitGuarded(const Statement& statement, const Placed& placed);
  Expr emitScalar(const Read& read,
                  const Values& instance);  // of a read over a statement's variables
  void emitInstance(const Statement& statement, const Placed& placed);
  void storeElement(const Node& node, const Values& values, const Expr& value);
  void emitCompute(const Statement& statement, const Node& node, Values values);
  void emitChange(const Statement& statement, const Node& node, Values values);
  void emitInit(const Node& node, Values values);
  void emitUpdate(const Node& node, Values values);
  void emitSink(const Statement& statement, Values values);
  const Node* updateOf(const Statement& statement, const Node& node) const;
  void emitSort(const Node& node, Values values);
  void emitPermutation(const Node& node, Values values);

  // ---- sum trees (lower_sum_tree.cpp)
  // The update, and those that it reads in turn, done in the storage of `owner` at the point that
  // `ownerValues` are.
  void emitTreeUpdates(const Node& owner, const Values& ownerValues, const Node& update,
                       const Values& values);
  void emitTreeUpdate(const Node& update, const Values& values, const Stmt::Place& target);
  // An update's positions and priorities, for the runtime.
  std::pair<Stmt::Place, Stmt::Place> emitTreeEntries(const Node& update, const Values& values);
  Stmt::Place scratchFor(const char* name, DType type, int64_t elements);
  Expr emitTreeFind(const Node& node, const pdg::TreeFind& find, const Values& values);

  // Loops over the element axes (but `skip` and those that `values` has a position of), innermost
  // last; `body` runs with their positions in `values`.
  void overElements(const Node& node, Values& values, const std::function<void()>& body,
                    int skip = -1, bool mayUseLanes = true);

  // ---- indices that end on a condition (lower_exit.cpp)
  // A loop that no iteration has to follow once the index that it scans has ended.
  struct Ending {
    const pdg::EndingIndex* index = nullptr;
    int writer = -1;   // a statement of `exists` in the loop
    int64_t rest = 0;  // iterations still to run after the one that finds that nothing exists
    VarId left = -1;   // these, counted down
    VarId last = -1;   // the last point at which `exists` is known
  };
  std::optional<Ending> endingOf(const ScheduleNode& loop) const;
  std::optional<int64_t> lastNeeded(int statement, const ScheduleNode& loop,
                                    const Ending& ending) const;
  void forEachGate(const Statement& statement, const std::function<void(const Read&)>& visit) const;
  void beginEnding(Ending& ending);  // before the loop
  void emitExit(const Ending& ending, VarId loop);
  void finishEnding(const Ending& ending);  // behind it: what was not computed does not exist

  // ---- contractions (lower_contraction.cpp)
  struct Nest {
    std::vector<const ScheduleNode*> loops;  // outermost first
    int statement = -1;
    int init = -1;  // the statement that sets the sum to its identity, where the nest is all of it
  };
  // Sequential loops around nothing but one accumulation over their own variables.
  std::optional<Nest> contractionNest(const ScheduleNode& loop) const;
  // The same with a statement before it that begins the sum.
  std::optional<Nest> wholeSum(const ScheduleNode& first, const ScheduleNode& second) const;
  void emitContraction(const Nest& nest, const Condition& guard);
  // Where the loops around run the statement: where `guard`, its guard, holds.
  void emitWithin(const Placed& placed, const Condition& guard, const std::function<void()>& body);
  // One of the nodes in a loop, or a sum that is two of them.
  struct Step {
    const ScheduleNode* node = nullptr;  // the first
    std::optional<Nest> sum;
    const Placed* placed = nullptr;  // of a statement
    std::optional<Condition> guard;  // of a statement
  };
  void emitSum(const Nest& nest, const Node& node, const Placed& placed);

  // ---- reads and addresses (lower_read.cpp)
  Expr emitRead(const Node& consumer, size_t input, const Values& values);
  bool isEverRead(NodeId producer) const;  // by the statement being lowered
  Expr emitElement(NodeId producer, const std::vector<IndexExpr>& at,
                   const std::vector<IndexExpr>& element);
  Expr address(const Storage& storage, const std::vector<IndexExpr>& at,
               const std::vector<IndexExpr>& element);
  IndexExpr offsetOf(const Storage& storage, const std::vector<IndexExpr>& at,
                     const std::vector<IndexExpr>& element) const;
  // Where what is read with `along` = 0, 1, ..., count - 1 lies side by side in this order.
  std::optional<Stmt::Place> sideBySide(const Node& consumer, size_t input, Var along,
                                        int64_t count, const Values& values);
  IndexExpr resolve(const IndexExpr& e, const Node& consumer,
                    const Values& values);  // gathers become locals
  Expr toExpr(const IndexExpr& e);          // over loop-bound variables
  Expr toExpr(const Condition& condition);
  void checkGather(const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                   const std::vector<IndexExpr>& element, const Values& values);
  std::optional<IndexExpr> pointValue(const IndexExpr& value, const Node& consumer,
                                      const Read& read, const std::vector<IndexExpr>& at,
                                      const std::vector<IndexExpr>& element, const Values& values);
  void checkEnds(const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                 const std::vector<IndexExpr>& element, const Values& values);
  void checkRead(Expr condition, diagnostics::Kind kind, const pdg::ReadOrigin& origin,
                 const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                 const std::vector<IndexExpr>& element, const Values& values);
  Values valuesAt(const Node& node, const std::vector<IndexExpr>& at,
                  const std::vector<IndexExpr>& element) const;
  std::vector<IndexExpr> dimValues(const Node& node, const Values& values) const;
  std::vector<IndexExpr> elementValues(const Node& node, const Values& values) const;

  Expr combined(Combine combine, DType type, const Expr& before,
                const Expr& value) const;  // lower_reduce.cpp

  // ---- operations (lower_op.cpp)
  Expr emitOp(const Node& node, const Values& values);
  Expr emitMap(const Node& node, const pdg::Map& map, const Values& values);
  Expr emitSelect(const Node& node, const Values& values);
  Expr emitMerge(const Node& node, const pdg::Merge& merge, const Values& values);
  Expr emitDraw(const Node& node, const pdg::Draw& draw, const Values& values);
  Expr emitCategorical(const Node& node, const pdg::Draw& draw, const Values& values);
  Expr randomExpr(const Node& node, ExprNode::Draw kind, DType type, const Values& values,
                  std::vector<Expr> parameters);

  // ---- reductions (lower_reduce.cpp)
  Expr emitReduce(const Node& node, const pdg::Reduce& reduce, const Values& values);
  // Loops over bound variables (those in `only`), `body` inside, guarded where bounds alone don't
  // describe the range. `lanes`: the innermost loop may run in lanes, reducing into these locals.
  void overRange(const Node& node, const pdg::Reduce& reduce, const std::vector<Var>& only,
                 Values values, const std::vector<Stmt::Reduction>& lanes,
                 const std::function<void(const Values&, VarId innermost)>& body);
  // The loop within a loop around nothing but a reduction, where memory runs along the inner one;
  // it then reduces into its accumulator.
  Stmt* rowsOf(const Stmt& loop) const;

  // ---- building (lower_tree.cpp)
  VarId newVariable() { return result_.program.variables++; }
  Var bindVariable(
      VarId id);  // a polyhedral variable that stands for a loop variable or an I64 local
  Stmt& append(Stmt::Kind kind);
  template <typename Body>
  Block inBlock(
      const Body& body);  // statements appended by `body`, with forwarded values scoped to it
  Stmt& emitFor(VarId var, Expr lo, Expr hi, Block body, Stmt::Loop loop = Stmt::Loop::Sequential);
  void emitIf(const Condition& condition, const std::function<void()>& body);
  Expr local(DType type, Expr value);  // a let
  VarId declare(DType type, Expr initial);
  void assign(VarId var, DType type, Expr value);
  void watchNan(const Expr& value, const Node& node,
                const Values& values);  // of a value about to be stored
  // Of the node at `values`.
  void check(Expr condition, diagnostics::Kind kind, const std::string& message, const Node& node,
             const Values& values);
  void check(Expr condition, Fault fault, std::vector<Expr> coordinates);
  const std::string& nameOf(const Node& node);  // in messages

  const Graph& graph_;
  const schedule::Statements& statements_;
  const schedule::Schedule& schedule_;
  LowerOptions options_;
  Lowered result_;
  std::optional<pdg::Printer> printer_;  // of the graph, where a fault says what was read
  std::vector<std::string> names_;       // to call nodes by, once something asks
  std::vector<std::set<NodeId>>
      storedReads_;  // [statement]: the stored nodes that some point of it reads
  std::map<NodeId, BufferId> constants_;
  std::map<pdg::ParamId, BufferId> parameters_;
  Block* block_ = nullptr;     // where statements are appended
  std::map<Var, Expr> bound_;  // loop-bound variables
  int32_t nextVar_;
  Set loopContext_;  // the values that the enclosing schedule loops' variables take
  std::vector<Var> loopVars_;
  int lanesDepth_ = 0;
  std::map<VarId, Combine> accumulators_;  // of reductions whose ranges can't be empty
  Span span_;
  int statement_ = -1;  // of the schedule, being lowered
  // Scalars stored in this block, by node and point: read back without touching memory.
  using Stored = std::pair<NodeId, std::vector<IndexExpr>>;
  std::map<Stored, Expr> forwarded_;
};

template <typename Body>
Block Lowering::inBlock(const Body& body) {
  Block block;
  Block* outer = block_;
  auto forwarded = forwarded_;
  block_ = &block;
  body();
  block_ = outer;
  forwarded_ = std::move(forwarded);
  return block;
}

// The identity of a reduction and of the loop IR's accumulations.
Scalar identityOf(Combine combine, DType type);
Combine combineOf(pdg::ReduceKind kind);

// Removes stores to buffers that nothing reads, and the buffers.
void removeDeadStores(Lowered& lowered, const std::vector<bool>& readByHost);

}  // namespace rlc::loops
