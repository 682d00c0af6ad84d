#include "compiler/loops/regions.h"

#include <algorithm>

namespace rlc::loops {

namespace {

bool contains(const Block& block, Stmt::Loop kind) {
  return std::any_of(block.begin(), block.end(), [&](const StmtPtr& stmt) {
    return (stmt->kind == Stmt::Kind::For && stmt->loop == kind) || contains(stmt->body, kind) ||
           contains(stmt->otherwise, kind);
  });
}

// Whether a loop only orders parts that are worth a number of their own.
bool orders(const Stmt& loop) {
  if (loop.loop != Stmt::Loop::Sequential) return false;
  return contains(loop.body, Stmt::Loop::Parallel) ||
         (loop.rootLoop && contains(loop.body, Stmt::Loop::Lanes));
}

template <class Visit>
void forEachRegion(const Block& block, const Visit& visit) {
  for (const StmtPtr& stmt : block) {
    if (stmt->kind == Stmt::Kind::Call || (stmt->kind == Stmt::Kind::For && !orders(*stmt))) {
      visit(*stmt);
      continue;
    }
    forEachRegion(stmt->body, visit);
    forEachRegion(stmt->otherwise, visit);
  }
}

}  // namespace

void numberRegions(Program& program) {
  int count = 0;
  forEachRegion(program.body, [&](Stmt& stmt) { stmt.region = count++; });
}

std::vector<const Stmt*> regionsOf(const Program& program) {
  std::vector<const Stmt*> regions;
  forEachRegion(program.body, [&](const Stmt& stmt) { regions.push_back(&stmt); });
  return regions;
}

}  // namespace rlc::loops
