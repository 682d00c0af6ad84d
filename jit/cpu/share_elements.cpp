#include "jit/cpu/share_elements.h"

#include <algorithm>

#include "jit/cpu/walk.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

namespace {

// From so many on, other threads take a part: of fewer, what they have computed comes back from
// their caches later than one thread has it.
constexpr int64_t kFewestElements = 32768;

bool computesElements(const Block& body, bool checked = false) {
  return std::all_of(body.begin(), body.end(), [=](const StmtPtr& stmt) {
    switch (stmt->kind) {
      case Stmt::Kind::Check:
        return checked;
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
      case Stmt::Kind::Store:
        return true;
      case Stmt::Kind::For:
        return stmt->reductions.empty() && computesElements(stmt->body);
      case Stmt::Kind::If:
        return computesElements(stmt->body) && computesElements(stmt->otherwise);
      case Stmt::Kind::Call:
        return stmt->function == Stmt::Function::Prefetch;
      default:
        return false;
    }
  });
}

int64_t elementsOf(const Block& block) {
  int64_t most = 1;
  for (const StmtPtr& stmt : block) {
    const int64_t inside = std::max(elementsOf(stmt->body), elementsOf(stmt->otherwise));
    const int64_t times = stmt->kind == Stmt::Kind::For ? tripCount(*stmt).value_or(1) : 1;
    most = std::max(most, times * inside);
  }
  return most;
}

int64_t elementsOf(const Stmt& loop) { return tripCount(loop).value_or(1) * elementsOf(loop.body); }

bool isShared(const Stmt& loop) {
  return loop.loop == Stmt::Loop::Sequential && loop.elements && !loop.descending &&
         tripCount(loop).value_or(1) > 1 && computesElements(loop.body) &&
         elementsOf(loop) >= kFewestElements;
}

// Positions and priorities of an update that threads share, put side by side for it: in memory that
// nothing else has. A loop over tensors may be a recurrence.
bool fillsEntries(const Program& program, const Stmt& loop, const Stmt& update) {
  if (update.kind != Stmt::Kind::Call || update.function != Stmt::Function::TreeUpdate ||
      loop.kind != Stmt::Kind::For || loop.loop != Stmt::Loop::Sequential)
    return false;
  const auto fanout = constantOf(update.args[1]), entries = constantOf(update.args[2]);
  if (!fanout || !entries || *entries * *fanout < host::kSharedTreeUpdate ||
      tripCount(loop) != entries)
    return false;
  bool only = computesElements(loop.body, true);
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    if (stmt.kind != Stmt::Kind::Store) return;
    only &= program.buffers[static_cast<size_t>(stmt.buffer)].kind == Buffer::Kind::Private &&
            (stmt.buffer == update.places[0].buffer || stmt.buffer == update.places[1].buffer);
  });
  return only;
}

void shareWithin(Program& program, Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    StmtPtr& stmt = block[i];
    if (i + 1 < block.size() && fillsEntries(program, *stmt, *block[i + 1])) {
      stmt->loop = Stmt::Loop::Parallel;
      for (const Stmt::Place& entries : {block[i + 1]->places[0], block[i + 1]->places[1]}) {
        Buffer& buffer = program.buffers[static_cast<size_t>(entries.buffer)];
        if (buffer.kind == Buffer::Kind::Private) buffer.kind = Buffer::Kind::Scratch;
      }
    }
    if (stmt->kind == Stmt::Kind::For) {
      if (isShared(*stmt)) {
        stmt->loop = Stmt::Loop::Parallel;
        stmt->elements = false;
      }
      if (stmt->loop != Stmt::Loop::Sequential) continue;
    }
    shareWithin(program, stmt->body);
    shareWithin(program, stmt->otherwise);
  }
}

}  // namespace

void shareElements(Program& program) { shareWithin(program, program.body); }

}  // namespace rlc::cpu
