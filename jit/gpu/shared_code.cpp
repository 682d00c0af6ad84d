// Code of one thread with barriers inside, where the block adds values up: every thread takes part
// in everything, and a mask tells which threads are meant.

#include "compiler/diagnostics/internal_error.h"
#include "compiler/types/lists.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

std::string Generator::maskText() const {
  std::string text;
  for (const std::string& part : mask_) text += (text.empty() ? "" : " && ") + part;
  return text;
}

void Generator::sharedBlock(const Block& block) {
  std::vector<const Stmt*> run;
  const auto flushRun = [&] {
    if (!run.empty()) sharedRun(run);
    run.clear();
  };
  for (const auto& stmt : block) {
    if (!hasBarriers(*stmt)) {
      run.push_back(stmt.get());
      continue;
    }
    flushRun();
    shared(*stmt);
  }
  flushRun();
}

// Statements without barriers, for the active threads; what they define is known to what follows.
void Generator::sharedRun(const std::vector<const Stmt*>& run) {
  bool checks = false;
  std::vector<VarId> moved;
  for (const Stmt* stmt : run) {
    checks |=
        stmt->kind == Stmt::Kind::Check || hasChecks(stmt->body) || hasChecks(stmt->otherwise);
    if ((stmt->kind != Stmt::Kind::Let && stmt->kind != Stmt::Kind::Declare) ||
        variable(stmt->var).home != Variable::Home::Local)
      continue;
    line(localType(*stmt) + " " + variableName(stmt->var) + " = 0;");
    moved.push_back(stmt->var);
  }
  const std::string outerFault = onFault_;
  if (checks) {
    onFault_ = "return false;";
    open("if (" + maskText() + ") alive = [&]() -> bool");
  } else {
    open("if (" + maskText() + ")");
  }
  const auto isMoved = [&](const Stmt& stmt) { return contains(moved, stmt.var); };
  for (const Stmt* stmt : run) {
    if ((stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare) && isMoved(*stmt)) {
      beginStatement(*stmt);
      comment(*stmt);
      line(variableName(stmt->var) + " = " + expr(stmt->value) + ";");
    } else {
      plain(*stmt);
    }
  }
  if (checks) line("return true;");
  close(checks ? "();" : "");
  onFault_ = outerFault;
}

void Generator::shared(const Stmt& stmt) {
  if (tiled_.count(&stmt) != 0) return writeTiled(stmt);
  comment(stmt);
  if (stmt.kind == Stmt::Kind::For) return sharedFor(stmt);
  beginStatement(stmt);
  if (stmt.kind == Stmt::Kind::Accumulate) return sharedAccumulate(stmt);
  if (stmt.kind == Stmt::Kind::Exit) {
    const std::string stays = loopMask_.at(stmt.var);
    open("if (" + maskText() + ")");
    line("if (" + expr(stmt.value) + ") " + stays + " = false;");
    return close();
  }
  if (stmt.kind != Stmt::Kind::If)
    throw InternalError("code generation: a barrier in an unknown place");
  if (uniform(stmt.value)) {
    open("if (" + expr(stmt.value) + ")");
    sharedBlock(stmt.body);
    if (!stmt.otherwise.empty()) {
      close(" else {");
      ++depth_;
      sharedBlock(stmt.otherwise);
    }
    return close();
  }
  const std::string holds = fresh("if"), fails = fresh("else");
  line("bool " + holds + " = false, " + fails + " = false;");
  open("if (" + maskText() + ")");
  line(holds + " = " + expr(stmt.value) + ";");
  line(fails + " = !" + holds + ";");
  close();
  for (const auto& [name, block] :
       {std::pair(holds, &stmt.body), std::pair(fails, &stmt.otherwise)}) {
    if (block->empty()) continue;
    mask_.push_back(name);
    open("");
    sharedBlock(*block);
    close();
    mask_.pop_back();
  }
}

void Generator::sharedFor(const Stmt& stmt) {
  beginStatement(stmt);
  const bool same = uniform(stmt.lo) && uniform(stmt.hi);
  bool left = false;
  cpu::forEachStmt(stmt.body,
                   [&](const Stmt& s) { left |= s.kind == Stmt::Kind::Exit && s.var == stmt.var; });
  const std::string v = variableName(stmt.var), stays = fresh("stays"), inside = fresh("inside");
  open("");
  if (left) {
    line("bool " + stays + " = true;");
    loopMask_[stmt.var] = stays;
    mask_.push_back(stays);
  }
  if (same) {
    const std::string lo = expr(stmt.lo), hi = expr(stmt.hi);
    openCount(stmt, lo, hi);
    if (left) line("if (!__syncthreads_or(" + maskText() + ")) break;");
  } else {
    const std::string lo = fresh("lo"), hi = fresh("hi"), n = fresh("n");
    line("i64 " + lo + " = 0, " + hi + " = 0;");
    open("if (" + maskText() + ")");
    line(lo + " = " + expr(stmt.lo) + ";");
    line(hi + " = " + expr(stmt.hi) + ";");
    close();
    open("for (i64 " + n + " = 0; __syncthreads_or(" + maskText() + " && " + lo + " + " + n +
         " < " + hi + "); ++" + n + ")");
    line("const i64 " + v + " = " + (stmt.descending ? hi + " - 1 - " + n : lo + " + " + n) + ";");
    line("const bool " + inside + " = " + lo + " + " + n + " < " + hi + ";");
    mask_.push_back(inside);
  }
  sharedBlock(stmt.body);
  close();
  if (!same) mask_.pop_back();
  if (left) {
    mask_.pop_back();
    loopMask_.erase(stmt.var);
  }
  close();
}

void Generator::sharedAccumulate(const Stmt& stmt) {
  const DType type = buffer(stmt.buffer).type;
  if (sums_.at(&stmt) == Sum::Turns) {
    open("for (unsigned turn = 0; turn < blockDim.x; ++turn)");
    open("if (turn == threadIdx.x && " + maskText() + ")");
    writeAccumulate(stmt, whole(stmt.value));
    close();
    line("__syncthreads();");
    return close();
  }
  const std::string sum = fresh("sum"), name = combineName(stmt.combine, type);
  line(typeName(type) + " " + sum + " = " + identityText(stmt.combine, type) + ";");
  open("if (" + maskText() + ")");
  line(sum + " = " + expr(stmt.value) + ";");
  close();
  line(sum + " = acrossBlock<" + name + ">(" + sum + ", sums);");
  uses_.clear();
  shared_names_.clear();
  open("if (threadIdx.x == 0)");
  writeAccumulate(stmt, sum);
  close();
}

}  // namespace rlc::gpu
