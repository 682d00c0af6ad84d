// Which code becomes which kernel, and what the host does between them.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/guards.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

constexpr int64_t kCopiesLimit = int64_t{64} << 20;  // bytes of the partial results of one launch

constexpr int64_t kCopiesShare = 8;  // of a limit on what lanes work with

// A parallel loop that only cuts a Lanes loop into blocks: that loop's whole range.
std::optional<std::pair<Expr, Expr>> wholeRange(const Stmt& loop) {
  if (loop.body.size() != 1 || loop.body.front()->kind != Stmt::Kind::For ||
      loop.body.front()->loop != Stmt::Loop::Lanes)
    return std::nullopt;
  const Stmt& lanes = *loop.body.front();
  if (lanes.hi->kind != ExprNode::Kind::Op || lanes.hi->op != ScalarOp::Min ||
      cpu::constantOf(loop.lo).value_or(1) != 0)
    return std::nullopt;
  const SplitIndex first = splitIndex(lanes.lo, {loop.var});
  const auto slope = cpu::linearOf(first.inside);
  if (!slope || slope->coefficients.size() != 1 || slope->coefficients.begin()->first != loop.var)
    return std::nullopt;
  const int64_t size = slope->coefficients.begin()->second;
  for (size_t side : {0, 1}) {
    const SplitIndex last = splitIndex(lanes.hi->args[side], {loop.var});
    const auto ahead = cpu::linearOf(last.inside);
    if (!ahead || ahead->coefficients != slope->coefficients ||
        ahead->constant != slope->constant + size)
      continue;
    if (cpu::mentions(lanes.hi->args[1 - side], loop.var)) continue;
    Expr lo = loops::index(slope->constant);
    for (const auto& [term, count] : first.base) lo = lo + term * loops::index(count);
    return std::pair(lo, lanes.hi->args[1 - side]);
  }
  return std::nullopt;
}

bool isProduct(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::Call && stmt.function == Stmt::Function::Product;
}

}  // namespace

Generator::Generator(const Program& program, const GenerateOptions& options)
    : program_(program), options_(options) {
  ranges_ = loopRanges(program.body);
  variables_.resize(static_cast<size_t>(program.variables));
  cpu::forEachStmt(program.body, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::Let || s.kind == Stmt::Kind::Declare) variable(s.var).type = s.type;
  });
  privates_.resize(program.buffers.size());
}

int64_t Generator::scratch(int64_t bytes) {
  const int64_t offset = module_.scratchBytes;
  module_.scratchBytes += cpu::alignUp(bytes);
  return offset;
}

const Stmt& Generator::own(loops::StmtPtr stmt) {
  module_.owned.push_back(std::move(stmt));
  return *module_.owned.back();
}

std::optional<int64_t> Generator::mostIterations(const Stmt& loop) const {
  return gpu::mostIterations(loop, ranges_);
}

double Generator::operationsOf(const Stmt& loop) const {
  const bool cut = loop.loop == Stmt::Loop::Parallel && wholeRange(loop);
  const double inside = cut ? operationsOf(*loop.body.front()) : cpu::countOperations(loop.body);
  return static_cast<double>(mostIterations(loop).value_or(0)) * inside;
}

bool Generator::worthGrid(const Stmt& stmt) const {
  if (stmt.kind != Stmt::Kind::For || stmt.loop == Stmt::Loop::Sequential) return false;
  const auto trip = mostIterations(stmt);
  if (!trip || *trip < 2 || operationsOf(stmt) < options_.gridWork) return false;
  return std::all_of(stmt.reductions.begin(), stmt.reductions.end(),
                     [](const auto& r) { return r.buffer >= 0 || r.local >= 0; });
}

bool Generator::needsHost(const Stmt& stmt) const {
  if (stmt.kind == Stmt::Kind::Emit || isProduct(stmt) || worthGrid(stmt)) return true;
  bool needed = false;
  std::set<VarId> inside;
  if (stmt.kind == Stmt::Kind::For) inside.insert(stmt.var);
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    cpu::forEachStmt(*block, [&](const Stmt& s) {
      if (s.kind == Stmt::Kind::For) inside.insert(s.var);
      needed |= s.kind == Stmt::Kind::Emit || isProduct(s) || worthGrid(s) ||
                (s.kind == Stmt::Kind::Exit && inside.count(s.var) == 0);
    });
  return needed || stmt.kind == Stmt::Kind::Exit;
}

void Generator::hostBlock(const Block& block, Guards guards, std::vector<VarId> loops,
                          std::vector<Step>& out) {
  std::vector<const Stmt*> group;
  for (const auto& stmt : block) {
    if (!needsHost(*stmt)) {
      group.push_back(stmt.get());
      continue;
    }
    if (stmt->kind == Stmt::Kind::If) {
      // Evaluated once, before its branches change what it reads.
      const Expr holds = guardOf(*stmt, group);
      flush(group, guards, loops, out);
      Guards then = guards, otherwise = guards;
      then.push_back(holds);
      otherwise.push_back(loops::op(ScalarOp::Not, {holds}));
      hostBlock(stmt->body, then, loops, out);
      hostBlock(stmt->otherwise, otherwise, loops, out);
      continue;
    }
    flush(group, guards, loops, out);
    if (stmt->kind == Stmt::Kind::Emit || stmt->kind == Stmt::Kind::Exit) {
      out.push_back({stmt->kind == Stmt::Kind::Emit ? Step::Kind::Emit : Step::Kind::Leave,
                     -1,
                     stmt.get(),
                     guards,
                     {}});
    } else if (isProduct(*stmt)) {
      Plan plan;
      plan.kind = Plan::Kind::Product;
      plan.statements = plan.parts = {stmt.get()};
      plan.guards = guards;
      plan.hostLoops = loops;
      addLaunch(std::move(plan), out);
    } else if (worthGrid(*stmt)) {
      gridLoop(*stmt, guards, loops, out);
    } else {
      Step loop{Step::Kind::Loop, -1, stmt.get(), guards, {}};
      if (stmt->root >= 0) rootOfLoop_[stmt->var] = stmt.get();
      auto inner = loops;
      inner.push_back(stmt->var);
      hostBlock(stmt->body, guards, inner, loop.body);
      out.push_back(std::move(loop));
    }
  }
  flush(group, guards, loops, out);
}

Expr Generator::guardOf(const Stmt& condition, std::vector<const Stmt*>& group) {
  bool plain = true;
  cpu::forEachNode(condition.value, [&](const ExprNode& node) {
    plain &= node.kind == ExprNode::Kind::Literal || node.kind == ExprNode::Kind::Op ||
             (node.kind == ExprNode::Kind::Variable && ranges_.count(node.var) != 0);
  });
  if (plain) return condition.value;
  auto let = std::make_unique<Stmt>();
  let->kind = Stmt::Kind::Let;
  let->span = condition.span;
  let->var = static_cast<VarId>(variables_.size());
  let->type = DType::Bool;
  let->value = condition.value;
  variables_.push_back({});
  variables_.back().type = DType::Bool;
  const Stmt& kept = own(std::move(let));
  group.push_back(&kept);
  return loops::variable(kept.var, DType::Bool);
}

void Generator::flush(std::vector<const Stmt*>& group, const Guards& guards,
                      const std::vector<VarId>& loops, std::vector<Step>& out) {
  if (group.empty()) return;
  Plan plan;
  plan.statements = std::move(group);
  plan.parts = plan.statements;
  group.clear();
  plan.guards = guards;
  if (const Guards common = loops::commonGuards(plan.statements, loops); !common.empty()) {
    Block rest;
    for (const Stmt* stmt : plan.statements) rest.push_back(cpu::copyAlike(*stmt));
    loops::dropGuards(rest, common);
    plan.statements.clear();
    for (loops::StmtPtr& stmt : rest) plan.statements.push_back(&own(std::move(stmt)));
    plan.guards.insert(plan.guards.end(), common.begin(), common.end());
  }
  plan.hostLoops = loops;
  addLaunch(std::move(plan), out);
}

void Generator::addLaunch(Plan plan, std::vector<Step>& out) {
  Step step;
  step.kernel = static_cast<int>(plans_.size());
  plans_.push_back(std::move(plan));
  out.push_back(std::move(step));
}

void Generator::gridLoop(const Stmt& loop, const Guards& guards, const std::vector<VarId>& loops,
                         std::vector<Step>& out) {
  Plan plan;
  plan.statements = plan.parts = {&loop};
  plan.guards = guards;
  plan.hostLoops = loops;
  plan.lo = loop.lo;
  plan.hi = loop.hi;
  plan.body = &loop;
  plan.kind = Plan::Kind::Lanes;
  int64_t trip = *mostIterations(loop);
  if (loop.loop == Stmt::Loop::Parallel) {
    if (const auto range = wholeRange(loop)) {
      plan.body = loop.body.front().get();
      std::tie(plan.lo, plan.hi) = *range;
      const auto lo = cpu::rangeOf(plan.lo, ranges_), hi = cpu::rangeOf(plan.hi, ranges_);
      if (lo && hi)
        trip = hi->hi - lo->lo;
      else
        trip *= mostIterations(*plan.body).value_or(1024);
    } else if (!soloBlock(loop.body)) {
      plan.kind = Plan::Kind::Iterations;
    }
  }
  plan.outputs = plan.kind == Plan::Kind::Lanes && matchOutputs(*plan.body).has_value();
  const int64_t unit = plan.kind == Plan::Kind::Lanes ? options_.threads : 1;
  plan.perBlock = unit;
  plan.mostBlocks = std::max<int64_t>(1, (trip + unit - 1) / unit);
  if (plan.mostBlocks > 1 && !addCopies(plan, loop)) throw InternalError("a sum without a type");
  if (!plan.copies.empty()) {
    int64_t bytes = 0;
    for (const Copy& copy : plan.copies) bytes += cpu::alignUp(copy.window.size * 8);
    const int64_t limit = program_.scratchLimit > 0
                              ? std::min(kCopiesLimit, program_.scratchLimit / kCopiesShare)
                              : kCopiesLimit;
    const int64_t most = std::clamp<int64_t>(limit / bytes, 1, options_.mostBlocks);
    while (plan.mostBlocks > most) {
      plan.perBlock *= 2;
      plan.mostBlocks = (trip + plan.perBlock - 1) / plan.perBlock;
    }
    int64_t taken = 0;
    for (Copy& copy : plan.copies) {
      const DType type = copy.reduction.buffer >= 0 ? buffer(copy.reduction.buffer).type
                                                    : variable(copy.reduction.local).type;
      copy.offset = taken;
      taken +=
          cpu::alignUp(copy.window.size * static_cast<int64_t>(byteSize(type)) * plan.mostBlocks);
    }
    copiesBytes_ = std::max(copiesBytes_, taken);
  }
  const bool combine = !plan.copies.empty();
  Plan sum = plan;
  addLaunch(std::move(plan), out);
  if (!combine) return;
  sum.kind = Plan::Kind::Combine;
  sum.parts.clear();
  sum.of = static_cast<int>(plans_.size()) - 1;
  addLaunch(std::move(sum), out);
}

// Launches follow each other: their copies lie in the same memory.
void Generator::placeCopies() {
  const int64_t first = scratch(copiesBytes_);
  for (Plan& plan : plans_)
    for (Copy& copy : plan.copies) copy.offset += first;
}

bool Generator::addCopies(Plan& plan, const Stmt& loop) {
  std::set<std::pair<BufferId, VarId>> seen;
  for (const Stmt* source : {&loop, plan.body})
    for (const auto& reduction : source->reductions) {
      if (!seen.insert({reduction.buffer, reduction.local}).second) continue;
      Copy copy;
      copy.reduction = reduction;
      if (reduction.buffer < 0) {
        copy.window = {loops::index(0), 0, 1};
        plan.copies.push_back(std::move(copy));
        continue;
      }
      copy.bound = boundIn(loop.body);
      copy.bound.insert(loop.var);
      std::vector<Expr> indices;
      cpu::forEachStmt(loop.body, [&](const Stmt& s) {
        if (s.kind == Stmt::Kind::Accumulate && s.buffer == reduction.buffer)
          indices.push_back(s.index);
      });
      if (indices.empty()) continue;
      const int64_t elements = buffer(reduction.buffer).elements;
      const auto window = windowOf(indices, copy.bound, ranges_);
      if (window && window->size <= elements) {
        copy.window = *window;
      } else {
        for (const Expr& index : indices)
          cpu::forEachNode(index, [&](const ExprNode& node) {
            if (node.kind == ExprNode::Kind::Variable) copy.bound.insert(node.var);
          });
        copy.window = {loops::index(0), 0, elements};
      }
      plan.copies.push_back(std::move(copy));
    }
  return true;
}

// ---- variables that outlive a kernel ------------------------------------------------------------

void Generator::noteUses(const Stmt& stmt, int place, std::map<VarId, std::set<int>>& uses) const {
  const auto note = [&](const Expr& e) {
    if (!e) return;
    cpu::forEachNode(e, [&](const ExprNode& node) {
      if (node.kind == ExprNode::Kind::Variable) uses[node.var].insert(place);
    });
  };
  cpu::forEachExpr(stmt, note);
  if (stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare ||
      stmt.kind == Stmt::Kind::Assign || stmt.kind == Stmt::Kind::For)
    uses[stmt.var].insert(place);
  for (const auto& reduction : stmt.reductions)
    if (reduction.local >= 0) uses[reduction.local].insert(place);
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const auto& inner : *block) noteUses(*inner, place, uses);
}

void Generator::chooseFrame() {
  constexpr int kHost = -1;
  std::map<VarId, std::set<int>> uses;
  const auto note = [&](const Expr& e, int place) {
    cpu::forEachNode(e, [&](const ExprNode& node) {
      if (node.kind == ExprNode::Kind::Variable) uses[node.var].insert(place);
    });
  };
  for (size_t k = 0; k < plans_.size(); ++k) {
    const Plan& plan = plans_[k];
    if (plan.kind == Plan::Kind::Combine) {
      for (const Copy& copy : plan.copies) {
        note(copy.window.base, static_cast<int>(k));
        if (copy.reduction.local >= 0) uses[copy.reduction.local].insert(static_cast<int>(k));
      }
    } else {
      for (const Stmt* stmt : plan.statements) noteUses(*stmt, static_cast<int>(k), uses);
    }
    for (const Expr& guard : plan.guards) note(guard, static_cast<int>(k));
    for (VarId loop : plan.hostLoops) uses[loop].insert(kHost);
    if (!plan.hostLoops.empty()) uses[plan.hostLoops.front()].insert(static_cast<int>(k));
  }
  const std::function<void(const std::vector<Step>&)> host = [&](const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      for (const Expr& guard : step.guards) note(guard, kHost);
      if (step.statement) cpu::forEachExpr(*step.statement, [&](const Expr& e) { note(e, kHost); });
      if (step.kind == Step::Kind::Loop) uses[step.statement->var].insert(kHost);
      host(step.body);
    }
  };
  host(module_.steps);
  for (const auto& [var, places] : uses) {
    if (places.size() < 2) continue;
    variable(var).home = Variable::Home::Frame;
    variable(var).slot = module_.frameSlots++;
  }
  module_.frameSlot.assign(variables_.size(), -1);
  for (size_t v = 0; v < variables_.size(); ++v) module_.frameSlot[v] = variables_[v].slot;
}

}  // namespace rlc::gpu
