#include "jit/cpu/share_elements.h"

#include <algorithm>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// From so many on, other threads take a part: of fewer, what they have computed comes back from
// their caches later than one thread has it.
constexpr int64_t kFewestElements = 32768;

bool computesElements(const Block& body) {
  return std::all_of(body.begin(), body.end(), [](const StmtPtr& stmt) {
    switch (stmt->kind) {
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
      case Stmt::Kind::Store:
        return true;
      case Stmt::Kind::For:
        return stmt->reductions.empty() && computesElements(stmt->body);
      case Stmt::Kind::If:
        return computesElements(stmt->body) && computesElements(stmt->otherwise);
      default:
        return false;
    }
  });
}

int64_t elementsOf(const Stmt& loop) {
  int64_t inside = 1;
  for (const StmtPtr& stmt : loop.body)
    if (stmt->kind == Stmt::Kind::For) inside = std::max(inside, elementsOf(*stmt));
  return tripCount(loop).value_or(1) * inside;
}

bool isShared(const Stmt& loop) {
  return loop.loop == Stmt::Loop::Sequential && loop.elements && !loop.descending &&
         tripCount(loop).value_or(1) > 1 && computesElements(loop.body) &&
         elementsOf(loop) >= kFewestElements;
}

void visit(Block& block) {
  for (StmtPtr& stmt : block) {
    if (stmt->kind == Stmt::Kind::For) {
      if (isShared(*stmt)) {
        stmt->loop = Stmt::Loop::Parallel;
        stmt->elements = false;
      }
      if (stmt->loop != Stmt::Loop::Sequential) continue;
    }
    visit(stmt->body);
    visit(stmt->otherwise);
  }
}

}  // namespace

void shareElements(Program& program) { visit(program.body); }

}  // namespace rlc::cpu
