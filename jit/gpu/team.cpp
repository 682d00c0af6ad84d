// Code of one block: its first thread runs what is the same for all (solo runs), all threads share
// loops; barriers stand between.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/types/lists.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

constexpr double kTeamWork = 200;      // operations of a loop that pay for two barriers
constexpr int64_t kFewestOfTeam = 32;  // outputs
constexpr int64_t kPerThread = 4;      // outputs of a thread along each of two axes
// As in device/sorting.h: kRadix + 1 numbers of a thread that sorts words by digits, and how many
// are sorted so.
constexpr int64_t kDigitTable = 17, kFewestWords = 2048;

}  // namespace

bool Generator::isTeamLoop(const Stmt& stmt) const {
  if (stmt.kind != Stmt::Kind::For || stmt.loop == Stmt::Loop::Sequential) return false;
  bool calls = false;
  cpu::forEachStmt(stmt.body, [&](const Stmt& s) { calls |= s.kind == Stmt::Kind::Call; });
  if (calls || (stmt.loop == Stmt::Loop::Parallel && !soloBlock(stmt.body))) return false;
  const auto trip = mostIterations(stmt);
  return !trip || static_cast<double>(*trip) * cpu::countOperations(stmt.body) >= kTeamWork;
}

bool Generator::soloBlock(const Block& block) const {
  bool solo = true;
  cpu::forEachStmt(block,
                   [&](const Stmt& s) { solo &= s.kind != Stmt::Kind::Call && !isTeamLoop(s); });
  return solo;
}

// Whether one thread can run the statement by itself.
bool Generator::isSolo(const Stmt& stmt) const {
  if (stmt.kind == Stmt::Kind::Call || stmt.kind == Stmt::Kind::Exit || isTeamLoop(stmt))
    return false;
  std::set<VarId> loops;
  if (stmt.kind == Stmt::Kind::For) loops.insert(stmt.var);
  bool inside = true;
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    cpu::forEachStmt(*block, [&](const Stmt& s) {
      if (s.kind == Stmt::Kind::For) loops.insert(s.var);
      if (s.kind == Stmt::Kind::Exit) inside &= loops.count(s.var) != 0;
    });
  return inside && soloBlock(stmt.body) && soloBlock(stmt.otherwise);
}

// ---- variables that more than one segment uses --------------------------------------------------

void Generator::noteSegments(const std::vector<const Stmt*>& statements, int& segment,
                             std::map<VarId, int>& definition, std::set<VarId>& shared) const {
  const auto use = [&](const Expr& e, int at) {
    cpu::forEachNode(e, [&](const ExprNode& node) {
      if (node.kind != ExprNode::Kind::Variable) return;
      const auto found = definition.find(node.var);
      if (found != definition.end() && found->second != at) shared.insert(node.var);
    });
  };
  const auto touch = [&](VarId var, int at) {
    const auto found = definition.find(var);
    if (found != definition.end() && found->second != at) shared.insert(var);
  };
  const std::function<void(const Stmt&, int)> inSegment = [&](const Stmt& s, int at) {
    cpu::forEachExpr(s, [&](const Expr& e) { use(e, at); });
    if (s.kind == Stmt::Kind::Let || s.kind == Stmt::Kind::Declare) definition[s.var] = at;
    if (s.kind == Stmt::Kind::Assign) touch(s.var, at);
    for (const auto& reduction : s.reductions) touch(reduction.local, at);
    for (const auto& inner : s.body) inSegment(*inner, at);
    for (const auto& inner : s.otherwise) inSegment(*inner, at);
  };
  bool open = false;
  for (const Stmt* stmt : statements) {
    if (isSolo(*stmt)) {
      if (!open) ++segment;
      open = true;
      inSegment(*stmt, segment);
      continue;
    }
    open = false;
    ++segment;
    if (isTeamLoop(*stmt) || stmt->kind == Stmt::Kind::Call || stmt->kind == Stmt::Kind::Exit) {
      inSegment(*stmt, segment);
      continue;
    }
    cpu::forEachExpr(*stmt, [&](const Expr& e) { use(e, segment); });
    for (const Block* block : {&stmt->body, &stmt->otherwise}) {
      std::vector<const Stmt*> inner;
      for (const auto& s : *block) inner.push_back(s.get());
      noteSegments(inner, segment, definition, shared);
    }
  }
  ++segment;
}

void Generator::chooseShared(const std::vector<const Stmt*>& statements) {
  int segment = 0;
  std::map<VarId, int> definition;
  std::set<VarId> shared;
  noteSegments(statements, segment, definition, shared);
  for (VarId var : shared) {
    if (variable(var).home != Variable::Home::Local) continue;
    variable(var).home = Variable::Home::Shared;
    line("__shared__ " + typeName(variable(var).type) + " v" + std::to_string(var) + ";");
  }
}

// ---- statements ---------------------------------------------------------------------------------

void Generator::teamBlock(const std::vector<const Stmt*>& statements) {
  std::vector<const Stmt*> run;
  const auto flushRun = [&] {
    if (!run.empty()) solo(run);
    run.clear();
  };
  for (const Stmt* stmt : statements) {
    if (isSolo(*stmt)) {
      run.push_back(stmt);
      continue;
    }
    flushRun();
    teamStatement(*stmt);
  }
  flushRun();
}

void Generator::solo(const std::vector<const Stmt*>& run) {
  if (whole_) {
    onFault_ = "return;";
    for (const Stmt* stmt : run) plain(*stmt);
    return;
  }
  barriers_ = true;
  const bool checks = std::any_of(run.begin(), run.end(), [&](const Stmt* s) {
    return s->kind == Stmt::Kind::Check || hasChecks(s->body) || hasChecks(s->otherwise);
  });
  line("__syncthreads();");
  const std::string failed = checks ? fresh("failed") : "";
  if (checks) {
    line("bool " + failed + " = false;");
    open("if (threadIdx.x == 0) " + failed + " = ![&]() -> bool");
    onFault_ = "return false;";
  } else {
    open("if (threadIdx.x == 0)");
  }
  for (const Stmt* stmt : run) plain(*stmt);
  if (checks) line("return true;");
  close(checks ? "();" : "");
  line(checks ? "if (__syncthreads_or(" + failed + ")) return;" : "__syncthreads();");
}

void Generator::teamStatement(const Stmt& stmt) {
  comment(stmt);
  writeProgress(stmt, "if (threadIdx.x == 0) ");
  if (isTeamLoop(stmt)) {
    barriers_ = true;
    if (!outputLoop(stmt, stmt.lo, stmt.hi, false)) {
      const Expr lo = known(stmt.lo), hi = known(stmt.hi);
      onFault_ = "return false;";
      threadLoop(stmt, lo, hi, false);
    }
    return line("__syncthreads();");
  }
  switch (stmt.kind) {
    case Stmt::Kind::For:
      return teamFor(stmt);
    case Stmt::Kind::Call:
      return teamCall(stmt);
    case Stmt::Kind::If: {
      const std::string condition = broadcast(stmt.value);
      for (const auto& [test, block] :
           {std::pair(condition, &stmt.body), std::pair("!(" + condition + ")", &stmt.otherwise)}) {
        if (block->empty()) continue;
        open("if (" + test + ")");
        std::vector<const Stmt*> inner;
        for (const auto& s : *block) inner.push_back(s.get());
        teamBlock(inner);
        close();
      }
      return;
    }
    case Stmt::Kind::Exit: {
      const std::string label = "left_" + std::to_string(stmt.var),
                        condition = broadcast(stmt.value);
      return line("if (" + condition + ") goto " + label + ";");
    }
    default:
      throw InternalError("code generation: a statement that a block can't run");
  }
}

void Generator::teamFor(const Stmt& stmt) {
  bool left = false;
  cpu::forEachStmt(stmt.body,
                   [&](const Stmt& s) { left |= s.kind == Stmt::Kind::Exit && s.var == stmt.var; });
  open("");
  const std::string lo = broadcast(stmt.lo), hi = broadcast(stmt.hi), v = variableName(stmt.var);
  const std::string label = "left_" + std::to_string(stmt.var);
  openCount(stmt, lo, hi);
  if (loopDepth_++ == 0 && mostIterations(stmt).value_or(kPollEvery) >= kPollEvery)
    line("if (" + v + " % " + std::to_string(kPollEvery) +
         " == 0 && __syncthreads_or(threadIdx.x == 0 && stopping(run))) return;");
  if (stmt.rootLoop) line("if (threadIdx.x == 0) run.fault->iteration = " + v + ";");
  line("again(arena);");
  for (VarId outer : teamLoops_) line("again(" + variableName(outer) + ");");
  teamLoopBody(stmt);
  --loopDepth_;
  close();
  if (left) line(label + ":;");
  close();
}

// What the block runs for each value of the loop's variable.
void Generator::teamLoopBody(const Stmt& loop) {
  teamLoops_.push_back(loop.var);
  std::vector<const Stmt*> inner;
  for (const auto& s : loop.body) inner.push_back(s.get());
  teamBlock(inner);
  teamLoops_.pop_back();
}

// Whether no thread can change what the expression reads while the kernel runs: then each thread
// has the value by itself.
bool Generator::fixedInKernel(const Expr& e) const {
  bool fixed = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Random) fixed = false;
    if (node.kind == ExprNode::Kind::Load)
      fixed &= buffer(node.buffer).kind == Buffer::Kind::Parameter ||
               buffer(node.buffer).kind == Buffer::Kind::Constant;
    if (node.kind == ExprNode::Kind::Variable)
      fixed &=
          variable(node.var).home == Variable::Home::Local || contains(plan_->hostLoops, node.var);
  });
  return fixed;
}

// A value that all threads must agree on: the first thread's.
std::string Generator::broadcast(const Expr& e) {
  uses_.clear();
  shared_names_.clear();
  if (whole_ || fixedInKernel(e)) return expr(e);
  barriers_ = true;
  const std::string word = fresh("word"), value = fresh("value");
  line("__shared__ " + typeName(e->type) + " " + word + ";");
  line("if (threadIdx.x == 0) " + word + " = " + expr(e) + ";");
  line("__syncthreads();");
  line("const " + typeName(e->type) + " " + value + " = " + word + ";");
  line("__syncthreads();");
  return value;
}

// The same as an expression.
Expr Generator::known(const Expr& e) {
  const std::string text = broadcast(e);
  if (text == expr(e)) return e;
  const auto var = static_cast<VarId>(variables_.size());
  variables_.push_back({});
  variables_.back().type = e->type;
  line("const " + typeName(e->type) + " v" + std::to_string(var) + " = " + text + ";");
  return loops::variable(var, e->type);
}

// ---- outputs as threads -------------------------------------------------------------------------

// A loop whose lanes only add to elements that they share: each thread owns some of the elements
// and runs over the lanes, which needs no barrier, unless tensor cores add up tiles of the lanes'
// products. Elements along the innermost two axes are
// computed in tiles that share loads.
std::optional<Generator::Outputs> Generator::matchOutputs(const Stmt& loop) const {
  Outputs match;
  const Block* body = &loop.body;
  std::set<VarId> axes;
  int64_t count = 1;
  while (body->size() == 1) {
    const Stmt& s = *body->front();
    if (s.kind == Stmt::Kind::If && s.otherwise.empty() && axes.empty()) {
      bool outside = true;
      cpu::forEachNode(s.value, [&](const ExprNode& node) {
        outside &= node.kind != ExprNode::Kind::Load && node.kind != ExprNode::Kind::Random &&
                   (node.kind != ExprNode::Kind::Variable || node.var != loop.var);
      });
      if (!outside) return std::nullopt;
      match.guards.push_back(s.value);
    } else if (s.kind == Stmt::Kind::For && s.loop == Stmt::Loop::Sequential &&
               cpu::constantOf(s.lo) && cpu::constantOf(s.hi)) {
      match.axes.push_back(&s);
      axes.insert(s.var);
      count *= *cpu::tripCount(s);
    } else {
      break;
    }
    body = &s.body;
  }
  if (body->size() != 1 || body->front()->kind != Stmt::Kind::Accumulate || count < kFewestOfTeam)
    return std::nullopt;
  const Stmt& sum = *body->front();
  match.accumulate = &sum;
  if (std::none_of(loop.reductions.begin(), loop.reductions.end(),
                   [&](const auto& r) { return r.buffer == sum.buffer; }))
    return std::nullopt;
  // Elements of different points are different.
  const auto inside = cpu::linearOf(splitIndex(sum.index, axes).inside);
  if (!inside || cpu::mentions(sum.index, loop.var)) return std::nullopt;
  std::vector<std::pair<int64_t, int64_t>> strides;  // and how far the axis reaches
  for (const Stmt* axis : match.axes) {
    const auto found = inside->coefficients.find(axis->var);
    if (found == inside->coefficients.end() || found->second <= 0) return std::nullopt;
    strides.emplace_back(found->second, *cpu::tripCount(*axis));
  }
  std::sort(strides.begin(), strides.end());
  int64_t reach = 0;
  for (const auto& [stride, trip] : strides) {
    if (stride <= reach) return std::nullopt;
    reach += stride * (trip - 1);
  }
  bool pure = true;
  cpu::forEachNode(sum.value, [&](const ExprNode& node) {
    pure &= node.kind != ExprNode::Kind::Random &&
            (node.buffer < 0 || !cpu::mayOverlap(program_, node.buffer, sum.buffer));
    if (node.buffer >= 0 && buffer(node.buffer).kind == Buffer::Kind::Private)
      pure &= privates_[static_cast<size_t>(node.buffer)].home != Storage::Home::Lane &&
              privates_[static_cast<size_t>(node.buffer)].home != Storage::Home::Scratch;
  });
  if (!pure || onTensorCores(loop, match.axes)) return std::nullopt;
  match.count = count;
  return match;
}

bool Generator::outputLoop(const Stmt& loop, const Expr& loopLo, const Expr& loopHi,
                           bool wholeGrid) {
  const auto match = matchOutputs(loop);
  if (!match) return false;
  const Stmt& sum = *match->accumulate;
  const DType type = buffer(sum.buffer).type;
  const std::string combine = combineName(sum.combine, type) + "::of", v = variableName(loop.var);
  const std::string begin = wholeGrid ? "first" : broadcast(loopLo),
                    end = wholeGrid ? "last" : broadcast(loopHi);
  uses_.clear();
  shared_names_.clear();
  std::string condition;
  for (const Expr& guard : match->guards)
    condition += (condition.empty() ? "" : " && ") + expr(guard);
  open(condition.empty() ? "" : "if (" + condition + ")");
  // Tiles of the two innermost axes where that leaves enough for the threads.
  const size_t depth = match->axes.size();
  std::vector<int64_t> tile(depth, 1);
  int64_t points = match->count;
  for (size_t k = depth; k-- > 0 && k + 2 >= depth;) {
    if (*cpu::tripCount(*match->axes[k]) % kPerThread != 0 || points / kPerThread < kFewestOfTeam)
      continue;
    tile[k] = kPerThread;
    points /= kPerThread;
  }
  const std::string out = fresh("out"), rest = fresh("rest");
  // Threads that come round a second time are few: one copy of the body is enough.
  line("#pragma unroll 1");
  open("for (i64 " + out + " = threadIdx.x; " + out + " < " + std::to_string(points) + "; " + out +
       " += blockDim.x)");
  line("i64 " + rest + " = " + out + ";");
  for (size_t k = depth; k-- > 0;) {
    const Stmt& axis = *match->axes[k];
    const int64_t tiles = *cpu::tripCount(axis) / tile[k];
    const std::string own = "v" + std::to_string(axis.var);
    line("const " + counterType(axis.var) + " " + own + " = " +
         std::to_string(*cpu::constantOf(axis.lo)) + " + " + rest + " % " + std::to_string(tiles) +
         " * " + std::to_string(tile[k]) + ";");
    line(rest + " /= " + std::to_string(tiles) + ";");
  }
  // Every point of a tile, with its offsets along the axes.
  std::vector<std::pair<std::string, std::vector<int64_t>>> sums;
  std::vector<int64_t> at(depth, 0);
  for (;;) {
    sums.emplace_back(fresh("sum"), at);
    size_t k = depth;
    while (k-- > 0) {
      if (++at[k] < tile[k]) break;
      at[k] = 0;
    }
    if (k == static_cast<size_t>(-1)) break;
  }
  const auto moveTo = [&](const std::vector<int64_t>& offsets) {
    for (size_t k = 0; k < depth; ++k) {
      const VarId var = match->axes[k]->var;
      partial_.erase(var);
      if (offsets[k] != 0)
        partial_[var] = "(v" + std::to_string(var) + " + " + std::to_string(offsets[k]) + ")";
    }
  };
  for (const auto& [name, offsets] : sums)
    line(typeName(type) + " " + name + " = " + identityText(sum.combine, type) + ";");
  open("for (" + counterType(loop.var) + " " + v + " = " + begin + "; " + v + " < " + end + "; ++" +
       v + ")");
  for (const auto& [name, offsets] : sums) {
    moveTo(offsets);
    // A product is added with one rounding, as in the loops that come as contractions.
    line(name + " = " + combine + "(" + name + ", " + expr(sum.value) + ");");
  }
  close();
  registers_.clear();
  for (const auto& [name, offsets] : sums) {
    moveTo(offsets);
    writeAccumulate(sum, name);
  }
  moveTo(std::vector<int64_t>(depth, 0));
  close();
  close();
  return true;
}

// ---- functions of a whole block -----------------------------------------------------------------

void Generator::treeCall(const Stmt& stmt) {
  barriers_ = true;
  std::string text = "treeUpdate(";
  for (const Expr& arg : stmt.args) text += broadcast(arg) + ", ";
  for (size_t i = 0; i < stmt.places.size(); ++i)
    text += (i > 0 ? ", " : "") + bufferName(stmt.places[i].buffer) + " + " +
            broadcast(stmt.places[i].index);
  line("__syncthreads();");
  line(text + ");");
}

// ---- sorting ------------------------------------------------------------------------------------

int64_t Generator::sortBytes(const Stmt& call) const {
  const size_t number = call.function == Stmt::Function::Permutation ? call.args.size() - 2 : 0;
  const auto range = cpu::rangeOf(call.args[number], ranges_);
  int64_t n = buffer(call.places.front().buffer).elements;
  if (range) n = std::min(n, std::max<int64_t>(range->hi, 1));
  const bool digits = call.function == Stmt::Function::Permutation && n >= kFewestWords;
  const int64_t threads = std::max(options_.threads, options_.teamThreads);
  const int64_t table = digits ? 4 * kDigitTable * threads : 0;
  return cpu::alignUp(16 * n + 64 + table);
}

void Generator::teamCall(const Stmt& stmt) {
  if (stmt.function == Stmt::Function::TreeUpdate) return treeCall(stmt);
  barriers_ = true;
  const int64_t bytes = sortBytes(stmt), offset = scratch(bytes * plan_->mostBlocks);
  std::vector<std::string> args, pointers;
  for (const Expr& arg : stmt.args) args.push_back(broadcast(arg));
  for (const auto& place : stmt.places) {
    const std::string at = broadcast(place.index);
    pointers.push_back(bufferName(place.buffer) + " + " + at);
  }
  const std::string work = "run.scratch + " + std::to_string(offset) + "ll + blockIdx.x * " +
                           std::to_string(bytes) + "ll";
  line("__syncthreads();");
  if (stmt.function == Stmt::Function::Permutation) {
    const size_t n = args.size() - 2;
    std::string text = "permutation(run, " + std::to_string(stmt.stream) + "ull, " + args[n] +
                       ", " + args[n + 1] + ", " + pointers[0] + ", " + work;
    for (size_t i = 0; i < n; ++i) text += ", " + args[i];
    return line(text + ");");
  }
  const std::string type = typeName(buffer(stmt.places[0].buffer).type);
  const std::string name = stmt.function == Stmt::Function::Sort ? "sort" : "argsort";
  line(name + "<" + type + ">(" + args[0] + ", " + args[1] + ", " + args[2] + ", " + args[3] +
       " != 0, " + pointers[0] + ", " + pointers[1] + ", " + work + ");");
}

}  // namespace rlc::gpu
