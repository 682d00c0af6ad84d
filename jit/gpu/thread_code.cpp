// Code of one thread. Plain code has no barriers. Shared code has some inside, where the block adds
// values up: there every thread takes part in everything, and a mask tells which threads are meant.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

constexpr int64_t kLongLoop = 9;  // iterations

}  // namespace

// `only`: the condition for which the thread speaks for all; empty: it does.
void Generator::writeProgress(const Stmt& stmt, const std::string& only) {
  if (stmt.root >= 0) line(only + "reached(run, " + std::to_string(stmt.root) + ", kNoIteration);");
}

// ---- plain --------------------------------------------------------------------------------------

void Generator::plainBlock(const Block& block) {
  for (const auto& stmt : block) plain(*stmt);
}

void Generator::plain(const Stmt& stmt) {
  if (stmt.kind != Stmt::Kind::For) beginStatement(stmt);
  comment(stmt);
  writeProgress(stmt, "");
  switch (stmt.kind) {
    case Stmt::Kind::For:
      return plainFor(stmt);
    case Stmt::Kind::If: {
      const std::string condition = whole(stmt.value);
      open("if (" + condition + ")");
      plainBlock(stmt.body);
      if (!stmt.otherwise.empty()) {
        close(" else {");
        ++depth_;
        plainBlock(stmt.otherwise);
      }
      return close();
    }
    case Stmt::Kind::Let:
    case Stmt::Kind::Declare:
      return defineVariable(stmt);
    case Stmt::Kind::Assign:
      return line(variableName(stmt.var) + " = " + whole(stmt.value) + ";");
    case Stmt::Kind::Store: {
      const std::string value = whole(stmt.value);
      if (!privateStore(stmt.buffer, stmt.index, value))
        line(elementText(stmt.buffer, stmt.index) + " = " + value + ";");
      return;
    }
    case Stmt::Kind::Accumulate:
      return writeAccumulate(stmt, whole(stmt.value));
    case Stmt::Kind::Check:
      return writeCheck(stmt);
    case Stmt::Kind::Exit: {
      const std::string label = "left_" + std::to_string(stmt.var);
      return line("if (" + whole(stmt.value) + ") goto " + label + ";");
    }
    case Stmt::Kind::Emit:
    case Stmt::Kind::Call:
      throw InternalError("code generation: a call inside a thread's code");
  }
}

void Generator::defineVariable(const Stmt& stmt) {
  const std::string value = whole(stmt.value);
  if (variable(stmt.var).home != Variable::Home::Local)
    return line(variableName(stmt.var) + " = " + value + ";");
  line((stmt.kind == Stmt::Kind::Let ? "const " : "") + localType(stmt) + " " +
       variableName(stmt.var) + " = " + value + ";");
}

// Short loops are left to the compiler, which keeps small arrays in registers that way. Long ones
// would take it minutes and all registers.
void Generator::writeUnrolling(const Stmt& stmt) {
  if (mostIterations(stmt).value_or(kLongLoop) < kLongLoop) return;
  bool loops = false;
  cpu::forEachStmt(stmt.body, [&](const Stmt& s) { loops |= s.kind == Stmt::Kind::For; });
  line(loops ? "#pragma unroll 1" : "#pragma unroll 4");
}

void Generator::openCount(const Stmt& stmt, const std::string& lo, const std::string& hi) {
  const std::string v = variableName(stmt.var);
  if (stmt.descending)
    open("for (" + counterType(stmt.var) + " " + v + " = " + hi + " - 1; " + v + " >= " + lo +
         "; --" + v + ")");
  else
    open("for (" + counterType(stmt.var) + " " + v + " = " + lo + "; " + v + " < " + hi + "; ++" +
         v + ")");
}

void Generator::openFor(const Stmt& stmt) {
  writeUnrolling(stmt);
  openCount(stmt, expr(stmt.lo), expr(stmt.hi));
}

void Generator::plainFor(const Stmt& stmt) {
  if (jam(stmt)) return;
  beginStatement(stmt);
  const std::string v = variableName(stmt.var), label = "left_" + std::to_string(stmt.var);
  const bool lane = stmt.loop == Stmt::Loop::Lanes;
  bool left = false;
  cpu::forEachStmt(stmt.body,
                   [&](const Stmt& s) { left |= s.kind == Stmt::Kind::Exit && s.var == stmt.var; });
  if (left) open("");
  openFor(stmt);
  if (whole_ && loopDepth_++ == 0)
    line("if (" + v + " % " + std::to_string(kPollEvery) + " == 0 && stopping(run)) return;");
  if (stmt.rootLoop) line("run.fault->iteration = " + v + ";");
  const auto outer = open_;
  if (lane) openPrivates(stmt);
  plainBlock(stmt.body);
  if (whole_) --loopDepth_;
  open_ = outer;
  close();
  if (!left) return;
  line(label + ":;");
  close();
}

void Generator::writeAccumulate(const Stmt& stmt, const std::string& value) {
  if (const auto found = registers_.find(&stmt); found != registers_.end()) {
    const DType type = buffer(stmt.buffer).type;
    return line(found->second + " = " + combineName(stmt.combine, type) + "::of(" + found->second +
                ", " + value + ");");
  }
  const DType type = buffer(stmt.buffer).type;
  const std::string combine = combineName(stmt.combine, type) + "::of";
  if (const auto found = redirected_.find(stmt.buffer); found != redirected_.end()) {
    const Copy& copy = *found->second;
    const std::string place = "copy_" + bufferName(stmt.buffer) + "[" +
                              expr(insideWindow(stmt.index, copy.bound, copy.window)) + "]";
    return line(place + " = " + combine + "(" + typeName(type) + "(" + place + "), " + value +
                ");");
  }
  const std::string old = loadText(stmt.buffer, stmt.index),
                    sum = combine + "(" + old + ", " + value + ")";
  if (!privateStore(stmt.buffer, stmt.index, sum))
    line(elementText(stmt.buffer, stmt.index) + " = " + sum + ";");
}

void Generator::writeCheck(const Stmt& stmt) {
  open("if (!" + expr(stmt.value) + ")");
  std::string call = "fault(run, " + std::to_string(stmt.fault);
  for (const Expr& arg : stmt.args) call += ", " + expr(arg);
  line(call + ");");
  line(onFault_);
  close();
}

bool Generator::hasChecks(const Block& block) const {
  bool found = false;
  cpu::forEachStmt(block, [&](const Stmt& s) { found |= s.kind == Stmt::Kind::Check; });
  return found;
}

// ---- sums over threads --------------------------------------------------------------------------

bool Generator::uniform(const Expr& e) const {
  bool same = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Variable) same &= uniform_.count(node.var) != 0;
    if (node.kind == ExprNode::Kind::Random) same = false;
    if (node.kind == ExprNode::Kind::Load)
      same &= buffer(node.buffer).kind == Buffer::Kind::Parameter ||
              buffer(node.buffer).kind == Buffer::Kind::Constant;
  });
  return same;
}

// What all threads of a loop know: what is defined outside, and counters of loops with the same
// bounds for all.
void Generator::chooseUniform(const Stmt& loop) {
  auto bound = boundIn(loop.body);
  bound.insert(loop.var);
  uniform_.clear();
  for (size_t v = 0; v < variables_.size(); ++v)
    if (bound.count(static_cast<VarId>(v)) == 0) uniform_.insert(static_cast<VarId>(v));
  cpu::forEachStmt(loop.body, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::For && uniform(s.lo) && uniform(s.hi)) uniform_.insert(s.var);
  });
}

void Generator::chooseSums(const Stmt& loop) {
  std::map<BufferId, Combine> reduced;
  for (const auto& reduction : loop.reductions)
    if (reduction.buffer >= 0) reduced[reduction.buffer] = reduction.combine;
  auto bound = boundIn(loop.body);
  bound.insert(loop.var);
  chooseUniform(loop);
  std::map<BufferId, std::vector<const Stmt*>> accumulates;
  std::set<BufferId> touched;
  cpu::forEachStmt(loop.body, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::Accumulate) accumulates[s.buffer].push_back(&s);
    if (s.kind == Stmt::Kind::Store) touched.insert(s.buffer);
    cpu::forEachExpr(s, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) {
        if (node.buffer >= 0) touched.insert(node.buffer);
      });
    });
  });
  for (const auto& [id, stmts] : accumulates) {
    const bool own = reduced.count(id) == 0;
    bool fixed = touched.count(id) == 0;
    for (const Stmt* s : stmts) {
      const SplitIndex split = splitIndex(s->index, bound);
      fixed &= cpu::constantOf(split.inside).has_value() && s->combine == stmts.front()->combine &&
               cpu::sameExpr(s->index, stmts.front()->index);
    }
    for (const Stmt* s : stmts)
      sums_[s] = own                 ? Sum::Own
                 : fixed             ? Sum::Register
                 : uniform(s->index) ? Sum::Block
                                     : Sum::Turns;
  }
}

bool Generator::hasBarriers(const Stmt& stmt) const {
  const auto own = [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::Accumulate) {
      const auto found = sums_.find(&s);
      return found != sums_.end() && (found->second == Sum::Block || found->second == Sum::Turns);
    }
    return tiled_.count(&s) != 0 || (s.kind == Stmt::Kind::Exit && loopMask_.count(s.var) != 0);
  };
  bool found = own(stmt);
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    cpu::forEachStmt(*block, [&](const Stmt& s) { found |= own(s); });
  return found;
}

// ---- a loop whose iterations are threads --------------------------------------------------------

void Generator::threadLoop(const Stmt& loop, const Expr& lo, const Expr& hi, bool wholeGrid) {
  sums_.clear();
  registers_.clear();
  chooseSums(loop);
  chooseTiled(loop, wholeGrid ? options_.threads : options_.teamThreads);
  uses_.clear();
  shared_names_.clear();
  const std::string v = variableName(loop.var);
  const bool checks = hasChecks(loop.body);
  const bool barriers = std::any_of(loop.body.begin(), loop.body.end(),
                                    [&](const auto& s) { return hasBarriers(*s); });
  open("");
  const std::string begin = fresh("first"), end = fresh("last"), at = fresh("at"), on = fresh("on");
  line("const i64 " + begin + " = " + expr(lo) +
       (wholeGrid ? " + block * " + std::to_string(plan_->perBlock) + "ll" : "") + ";");
  line("const i64 " + end + " = " +
       (wholeGrid ? "minimum<i64>(" + begin + " + " + std::to_string(plan_->perBlock) + ", " +
                        expr(hi) + ")"
                  : expr(hi)) +
       ";");
  // Partial results of the thread.
  struct Partial {
    std::string name;
    const Stmt* stmt;
    Stmt::Reduction reduction;
  };
  std::vector<Partial> partials;
  cpu::forEachStmt(loop.body, [&](const Stmt& s) {
    if (s.kind != Stmt::Kind::Accumulate || sums_[&s] != Sum::Register) return;
    const DType type = buffer(s.buffer).type;
    partials.push_back({fresh("sum"), &s, {}});
    registers_[&s] = partials.back().name;
    line(typeName(type) + " " + partials.back().name + " = " + identityText(s.combine, type) + ";");
  });
  for (const auto& reduction : loop.reductions) {
    if (reduction.local < 0) continue;
    const DType type = variable(reduction.local).type;
    partials.push_back({fresh("sum"), nullptr, reduction});
    line(typeName(type) + " " + partials.back().name + " = " +
         identityText(reduction.combine, type) + ";");
  }
  for (const Partial& partial : partials)
    if (!partial.stmt) partial_[partial.reduction.local] = partial.name;
  if (checks) line("bool alive = true;");
  // Most threads come by once: one copy of the body is enough.
  line("#pragma unroll 1");
  open("for (i64 " + at + " = " + begin + "; " + at + " < " + end + "; " + at + " += blockDim.x)");
  line("const " + counterType(loop.var) + " " + v + " = " + at + " + threadIdx.x;");
  line("const bool " + on + " = " + std::string(checks ? "alive && " : "") + v + " < " + end + ";");
  const auto outer = open_;
  openPrivates(loop);
  if (barriers) {
    mask_ = {on};
    if (checks) mask_.push_back("alive");
    barriers_ = true;
    sharedBlock(loop.body);
    mask_.clear();
  } else {
    std::vector<const Stmt*> run;
    for (const auto& stmt : loop.body) run.push_back(stmt.get());
    mask_ = {on};
    sharedRun(run);
    mask_.clear();
  }
  open_ = outer;
  close();
  for (const Partial& partial : partials) partial_.erase(partial.reduction.local);
  if (checks && (!wholeGrid || !plan_->copies.empty() || !partials.empty())) {
    barriers_ = true;
    line("if (__syncthreads_or(!alive)) return;");
  }
  for (const Partial& partial : partials) {
    barriers_ = true;
    const Combine combine = partial.stmt ? partial.stmt->combine : partial.reduction.combine;
    const DType type =
        partial.stmt ? buffer(partial.stmt->buffer).type : variable(partial.reduction.local).type;
    const std::string name = combineName(combine, type);
    line(partial.name + " = acrossBlock<" + name + ">(" + partial.name + ", sums);");
    open("if (threadIdx.x == 0)");
    if (partial.stmt) {
      registers_.erase(partial.stmt);
      uses_.clear();
      writeAccumulate(*partial.stmt, partial.name);
    } else if (wholeGrid && !plan_->copies.empty()) {
      line("copy_v" + std::to_string(partial.reduction.local) + "[0] = " + partial.name + ";");
    } else {
      const std::string target = variableName(partial.reduction.local);
      line(target + " = " + name + "::of(" + target + ", " + partial.name + ");");
    }
    close();
  }
  close();
}

}  // namespace rlc::gpu
