// Buffers, schedule loops, and the building blocks of the other lower_*.cpp files.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/fuse_elements.h"
#include "compiler/loops/guards.h"
#include "compiler/loops/lowering.h"
#include "compiler/loops/regions.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/traversal.h"
#include "compiler/schedule/execution.h"
#include "compiler/schedule/work.h"
#include "compiler/types/lists.h"

namespace rlc::loops {

Lowering::Lowering(const Graph& graph, const schedule::Statements& statements,
                   const schedule::Schedule& schedule, std::vector<Storage> storage,
                   const LowerOptions& options)
    : graph_(graph),
      statements_(statements),
      schedule_(schedule),
      options_(options),
      nextVar_(schedule.varCount) {
  result_.storage = std::move(storage);
  loopContext_ = Set::universe(graph.context(), {});
  for (const Statement& statement : statements.list) {
    std::set<NodeId>& stored = storedReads_.emplace_back();
    for (const schedule::Access& access : statement.accesses) stored.insert(access.producer);
  }
}

Lowered Lowering::run() {
  makeBuffers();
  makeParameters();
  result_.program.readsUnwritten = !statements_.endings.empty();
  block_ = &result_.program.body;
  emitRoots();
  std::vector<bool> readByHost(static_cast<size_t>(graph_.size()));
  for (const pdg::Sink& sink : graph_.sinks())
    for (const Read& read : pdg::hostReads(graph_, sink))
      readByHost[static_cast<size_t>(read.producer)] = true;
  for (size_t id = 0; id < readByHost.size(); ++id)
    if (readByHost[id] && result_.bufferOf[id] >= 0)
      result_.program.buffers[static_cast<size_t>(result_.bufferOf[id])].lanes = 0;
  removeDeadStores(result_, readByHost);
  fuseElements(result_.program);
  removeDeadStores(result_, readByHost);  // of what the joined loops hand over in locals
  numberRegions(result_.program);
  result_.memory = planMemory(result_.program, bufferUses(readByHost));
  return std::move(result_);
}

std::vector<BufferUse> Lowering::bufferUses(const std::vector<bool>& readByHost) const {
  std::vector<BufferUse> uses(result_.program.buffers.size(), BufferUse{false, true});
  for (const Node& node : graph_.nodes()) {
    const auto id = static_cast<size_t>(node.id);
    if (result_.bufferOf[id] < 0) continue;
    BufferUse& use = uses[static_cast<size_t>(result_.bufferOf[id])];
    use.keep = readByHost[id];
    use.temporary = false;
    const Placed& writer = schedule_.placed[static_cast<size_t>(statements_.writers[id].front())];
    if (writer.scanned.empty() || !writer.scanned.front()) continue;
    const auto dim = std::find(node.dims.begin(), node.dims.end(), *writer.scanned.front());
    if (dim == node.dims.end()) continue;
    const schedule::DimStorage& storage =
        result_.storage[id].dims[static_cast<size_t>(dim - node.dims.begin())];
    use.temporary = storage.ring && storage.extent == 1 && !storage.carried;
  }
  return uses;
}

void Lowering::makeBuffers() {
  result_.bufferOf.assign(static_cast<size_t>(graph_.size()), -1);
  for (const Node& node : graph_.nodes()) {
    const Storage& storage = result_.storage[static_cast<size_t>(node.id)];
    const bool constant =
        statements_.placement[static_cast<size_t>(node.id)] == Placement::Constant;
    if (storage.node < 0 && !constant) continue;
    Buffer buffer;
    buffer.name = node.name.empty() ? "v" + std::to_string(node.id) : node.name;
    buffer.type = node.type;
    if (constant) {
      buffer.kind = Buffer::Kind::Constant;
      buffer.data = std::get<pdg::Constant>(node.op).value.elements;
      buffer.elements = static_cast<int64_t>(buffer.data.size());
      constants_[node.id] = static_cast<BufferId>(result_.program.buffers.size());
    } else {
      buffer.kind = storage.perLane ? Buffer::Kind::Private : Buffer::Kind::Arena;
      buffer.elements = storage.elements;
      for (const schedule::DimStorage& dim : storage.dims)
        if (dim.stride == 1 && dim.extent > 1 && !dim.lane && !dim.ring && !storage.perLane)
          buffer.lanes = std::max(storage.row, dim.extent);
      result_.bufferOf[static_cast<size_t>(node.id)] =
          static_cast<BufferId>(result_.program.buffers.size());
    }
    result_.program.buffers.push_back(std::move(buffer));
  }
}

void Lowering::makeParameters() {
  int64_t offset = 0;
  for (size_t k = 0; k < graph_.params().size(); ++k) {
    Buffer buffer;
    buffer.name = graph_.params()[k].name;
    buffer.kind = Buffer::Kind::Parameter;
    buffer.type = graph_.params()[k].value.type;
    buffer.elements = 1;
    buffer.offset = offset;
    result_.parameterOffset.push_back(offset);
    parameters_[static_cast<pdg::ParamId>(k)] =
        static_cast<BufferId>(result_.program.buffers.size());
    result_.program.buffers.push_back(std::move(buffer));
    offset += 8;
  }
  result_.program.parameterBytes = offset;
}

void Lowering::emitRoots() {
  for (size_t k = 0; k < schedule_.roots.size(); ++k) {
    const size_t before = block_->size();
    emitNode(*schedule_.roots[k]);
    if (block_->size() == before) continue;
    (*block_)[before]->root = static_cast<int>(k);
    if (schedule_.roots[k]->kind != ScheduleNode::Kind::Loop ||
        contractionNest(*schedule_.roots[k]))
      continue;
    for (size_t at = before; at < block_->size(); ++at) {
      Stmt& statement = *(*block_)[at];
      if (statement.kind != Stmt::Kind::For) continue;
      statement.rootLoop = statement.loop == Stmt::Loop::Sequential;
      break;
    }
  }
}

void Lowering::emitNodes(const std::vector<schedule::ScheduleNodePtr>& nodes) {
  const std::vector<Step> steps = stepsOf(nodes);
  for (size_t k = 0; k < steps.size();) {
    const auto& guard = steps[k].guard;
    size_t end = k + 1;
    if (guard && guard->kind() != Condition::Kind::True)
      while (end < steps.size() && steps[end].guard == guard) ++end;
    if (end == k + 1) {
      emitStep(steps[k++]);
      continue;
    }
    // Neighbours under one guard stand behind one test, so that what one stores the next one has.
    emitWithin(*steps[k].placed, *guard, [&] {
      for (; k < end; ++k) {
        Step inside = steps[k];
        inside.guard = guardOf(*inside.placed);
        emitStep(inside);
      }
    });
    k = end;
  }
}

std::vector<Lowering::Step> Lowering::stepsOf(
    const std::vector<schedule::ScheduleNodePtr>& nodes) const {
  std::vector<Step> steps;
  for (size_t k = 0; k < nodes.size(); ++k) {
    Step step;
    step.node = nodes[k].get();
    if (k + 1 < nodes.size()) step.sum = wholeSum(*nodes[k], *nodes[k + 1]);
    if (step.sum) ++k;
    if (step.node->kind == ScheduleNode::Kind::Statement) {
      step.placed = &schedule_.placed[static_cast<size_t>(step.node->statement)];
      step.guard = guardOf(*step.placed);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

void Lowering::emitStep(const Step& step) {
  if (step.sum)
    emitContraction(*step.sum, *step.guard);
  else if (step.guard)
    emitStatement(step.node->statement, *step.guard);
  else
    emitNode(*step.node);
}

void Lowering::emitNode(const ScheduleNode& node) {
  switch (node.kind) {
    case ScheduleNode::Kind::Loop:
      emitLoop(node);
      break;
    case ScheduleNode::Kind::Statement:
      emitStatement(node.statement, guardOf(schedule_.placed[static_cast<size_t>(node.statement)]));
      break;
    case ScheduleNode::Kind::Scan:
      emitScan(*node.scan);
      break;
  }
}

std::vector<Stmt::Reduction> Lowering::reductionsOf(const ScheduleNode& loop) const {
  std::vector<Stmt::Reduction> result;
  for (size_t s = 0; s < statements_.list.size(); ++s) {
    const Statement& statement = statements_.list[s];
    if (statement.role != Statement::Role::Update) continue;
    const Placed& placed = schedule_.placed[s];
    const auto found = std::find(placed.loops.begin(), placed.loops.end(), &loop);
    if (found == placed.loops.end()) continue;
    const Node& node = graph_.node(statement.node);
    const auto& scanned = placed.scanned[static_cast<size_t>(found - placed.loops.begin())];
    const bool ownDim = scanned && contains(node.dims, *scanned);
    const auto& reduce = std::get<pdg::Reduce>(node.op);
    if (ownDim) continue;  // keyed dims are none of the update's variables
    result.push_back({result_.bufferOf[static_cast<size_t>(node.id)], -1, combineOf(reduce.kind)});
  }
  return result;
}

Block Lowering::insideLoop(const ScheduleNode& loop, VarId var, const std::function<void()>& body) {
  const Set outerContext = loopContext_;
  loopVars_.push_back(loop.loopVar);
  bound_[loop.loopVar] = variable(var, DType::I64);
  loopContext_ =
      loopContext_.extendTo(loopVars_).intersect(Condition::within(loop.loopVar, loop.lo, loop.hi));
  const bool lanes = schedule::isLanes(loop);
  lanesDepth_ += lanes;
  Block block = inBlock(body);
  lanesDepth_ -= lanes;
  loopContext_ = outerContext;
  loopVars_.pop_back();
  return block;
}

std::vector<VarId> Lowering::loopVariables() const {
  std::vector<VarId> variables;
  for (Var var : loopVars_)
    if (const Expr& bound = bound_.at(var); bound->kind == ExprNode::Kind::Variable)
      variables.push_back(bound->var);
  return variables;
}

void Lowering::emitRotations(const ScheduleNode& loop) {
  for (const Storage& storage : result_.storage)
    for (const schedule::DimStorage& dim : storage.dims) {
      if (dim.rotation != &loop) continue;
      const BufferId buffer = result_.bufferOf[static_cast<size_t>(storage.node)];
      const DType type = result_.program.buffers[static_cast<size_t>(buffer)].type;
      for (int64_t element = 0; element < dim.stride; ++element) {
        const Expr newest = load(buffer, type, index(element));
        Stmt& move = append(Stmt::Kind::Store);
        move.buffer = buffer;
        move.index = index(dim.stride + element);
        move.value = newest;
      }
    }
}

void Lowering::emitLoop(const ScheduleNode& loop) {
  if (const auto nest = contractionNest(loop))
    return emitContraction(*nest, guardOf(schedule_.placed[static_cast<size_t>(nest->statement)]));
  using Execution = ScheduleNode::Execution;
  const Expr lo = toExpr(loop.lo), hi = toExpr(loop.hi);
  const VarId var = newVariable();
  auto ending = endingOf(loop);
  if (ending) beginEnding(*ending);
  const std::vector<VarId> outside = loopVariables();
  Block body = insideLoop(loop, var, [&] {
    Block rest = inBlock([&] {
      emitNodes(loop.children);
      if (ending) emitExit(*ending, var);
    });
    // A window moves for what the rest of the loop does: where that does nothing, the loop does not
    // have to run.
    Block rotations = inBlock([&] { emitRotations(loop); });
    guardAll(rotations, commonGuardsOf(rest, outside));
    for (Block* part : {&rotations, &rest})
      for (StmtPtr& stmt : *part) block_->push_back(std::move(stmt));
  });
  const auto reductions =
      loop.execution == Execution::Sequential ? std::vector<Stmt::Reduction>{} : reductionsOf(loop);
  if (loop.execution == Execution::ThreadedLanes) {
    const int64_t block = schedule::lanesPerBlock(tripCount(loop, schedule_));
    const VarId blockVar = newVariable();
    const Expr first = lo + op(ScalarOp::Mul, {variable(blockVar, DType::I64), index(block)});
    const Expr last = op(ScalarOp::Min, {first + index(block), hi});
    Block lanesLoop = inBlock([&] {
      Stmt& inner = emitFor(var, first, last, std::move(body), Stmt::Loop::Lanes);
      inner.reductions = reductions;
      inner.comment = loop.name;
    });
    const Expr blocks = op(ScalarOp::FloorDiv, {hi - lo + index(block - 1), index(block)});
    Stmt& outer = emitFor(blockVar, index(0), blocks, std::move(lanesLoop), Stmt::Loop::Parallel);
    outer.reductions = reductions;
    outer.comment = "blocks of " + loop.name;
    return;
  }
  const auto kind = schedule::isLanes(loop)                ? Stmt::Loop::Lanes
                    : loop.execution == Execution::Threads ? Stmt::Loop::Parallel
                                                           : Stmt::Loop::Sequential;
  Stmt& statement = emitFor(var, lo, hi, std::move(body), kind);
  statement.descending = loop.descending;
  statement.reductions = reductions;
  statement.comment = loop.name;
  if (ending) finishEnding(*ending);
}

void Lowering::emitScan(const polyhedral::ScanNode& scan) {
  using Kind = polyhedral::ScanNode::Kind;
  switch (scan.kind) {
    case Kind::Block:
      for (const auto& child : scan.children) emitScan(*child);
      return;
    case Kind::For: {
      const VarId var = newVariable();
      const Expr lo = toExpr(scan.lo), trip = toExpr(scan.hi) - lo;
      // Loops count by one: a step is in the variable's value.
      bound_[scan.var] = op(ScalarOp::Mul, {variable(var, DType::I64), index(scan.step)}) + lo;
      Block body = inBlock([&] { emitScan(*scan.children.front()); });
      emitFor(var, index(0),
              op(ScalarOp::FloorDiv, {trip + index(scan.step - 1), index(scan.step)}),
              std::move(body));
      return;
    }
    case Kind::If: {
      emitIf(scan.condition, [&] { emitScan(*scan.children.front()); });
      if (scan.children.size() > 1) emitIf(!scan.condition, [&] { emitScan(*scan.children[1]); });
      return;
    }
    case Kind::Statement: {
      const Statement& statement = statements_.list[static_cast<size_t>(scan.statement)];
      statement_ = scan.statement;
      Placed placed;
      const Placed& original = schedule_.placed[static_cast<size_t>(scan.statement)];
      placed.instance = original.instance;
      const auto& vars = original.domain.vars();
      const size_t own = vars.size() - scan.instance.size();
      for (size_t k = 0; k < scan.instance.size(); ++k)
        placed.instance[vars[own + k]] = scan.instance[k];
      const auto inside = original.domain.toCondition();
      if (!inside) throw InternalError("lowering: a domain without a test");
      emitIf(inside->substitute(placed.instance), [&] { emitGuarded(statement, placed); });
      return;
    }
  }
}

// ---- building -----------------------------------------------------------------------------------

Stmt& Lowering::append(Stmt::Kind kind) {
  block_->push_back(std::make_unique<Stmt>());
  Stmt& statement = *block_->back();
  statement.kind = kind;
  statement.span = span_;
  return statement;
}

Var Lowering::bindVariable(VarId id) {
  const Var var = Var::dim(nextVar_++);
  bound_[var] = variable(id, DType::I64);
  return var;
}

Stmt& Lowering::emitFor(VarId var, Expr lo, Expr hi, Block body, Stmt::Loop loop) {
  Stmt& statement = append(Stmt::Kind::For);
  statement.var = var;
  statement.lo = std::move(lo);
  statement.hi = std::move(hi);
  statement.body = std::move(body);
  statement.loop = loop;
  return statement;
}

void Lowering::emitIf(const Condition& condition, const std::function<void()>& body) {
  if (condition.kind() == Condition::Kind::True) return body();
  if (condition.kind() == Condition::Kind::False) return;
  const Expr test = toExpr(condition);
  Block inside = inBlock(body);
  Stmt& statement = append(Stmt::Kind::If);
  statement.value = test;
  statement.body = std::move(inside);
}

Expr Lowering::local(DType type, Expr value) {
  const VarId var = newVariable();
  Stmt& statement = append(Stmt::Kind::Let);
  statement.var = var;
  statement.type = type;
  statement.value = std::move(value);
  return variable(var, type);
}

VarId Lowering::declare(DType type, Expr initial) {
  const VarId var = newVariable();
  Stmt& statement = append(Stmt::Kind::Declare);
  statement.var = var;
  statement.type = type;
  statement.value = std::move(initial);
  return var;
}

void Lowering::assign(VarId var, DType type, Expr value) {
  Stmt& statement = append(Stmt::Kind::Assign);
  statement.var = var;
  statement.type = type;
  statement.value = std::move(value);
}

void Lowering::watchNan(const Expr& value, const Node& node, const Values& values) {
  if (!options_.findNan || !isFloat(value->type)) return;
  check(op(ScalarOp::Not, {op(ScalarOp::IsNan, {value})}), diagnostics::Kind::DivisionByZero, "",
        node, values);
  result_.program.faults.back().watch = true;  // so its kind is never told
}

const std::string& Lowering::nameOf(const Node& node) {
  if (names_.empty()) names_ = pdg::displayNames(graph_);
  return names_[static_cast<size_t>(node.id)];
}

void Lowering::check(Expr condition, diagnostics::Kind kind, const std::string& message,
                     const Node& node, const Values& values) {
  Fault fault;
  fault.kind = kind;
  fault.message = message;
  fault.tensor = nameOf(node);
  fault.span = node.span;
  std::vector<Expr> coordinates;
  for (Var dim : node.dims) {
    fault.coordinateNames.push_back(graph_.dim(dim).name);
    coordinates.push_back(toExpr(values.at(dim)));
  }
  check(std::move(condition), std::move(fault), std::move(coordinates));
}

void Lowering::check(Expr condition, Fault fault, std::vector<Expr> coordinates) {
  fault.statement = statement_;
  for (Var var : loopVars_) coordinates.push_back(bound_.at(var));
  Stmt& statement = append(Stmt::Kind::Check);
  statement.value = std::move(condition);
  statement.fault = static_cast<int>(result_.program.faults.size());
  statement.args = std::move(coordinates);
  result_.program.faults.push_back(std::move(fault));
}

Lowered lower(const Graph& graph, const schedule::Statements& statements,
              const schedule::Schedule& schedule, std::vector<Storage> storage,
              const LowerOptions& options) {
  return Lowering(graph, statements, schedule, std::move(storage), options).run();
}

}  // namespace rlc::loops
