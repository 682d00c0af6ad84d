// Stores to buffers that nothing loads: values that were forwarded to all their readers. And of
// what stands there already: a value that is carried over to a point with the same place.
#include <functional>
#include <set>

#include "compiler/loops/expressions.h"
#include "compiler/loops/lowering.h"

namespace rlc::loops {

namespace {

void collectLoads(const Expr& e, std::set<BufferId>& loaded, std::set<const ExprNode*>& visited) {
  if (!e || !visited.insert(e.get()).second) return;
  if (e->kind == ExprNode::Kind::Load) loaded.insert(e->buffer);
  for (const Expr& arg : e->args) collectLoads(arg, loaded, visited);
}

void collectLoads(const Block& block, std::set<BufferId>& loaded,
                  std::set<const ExprNode*>& visited) {
  for (const StmtPtr& s : block) {
    for (const Expr* e : {&s->lo, &s->hi, &s->value, &s->index}) collectLoads(*e, loaded, visited);
    for (const Expr& arg : s->args) collectLoads(arg, loaded, visited);
    for (const auto& place : s->places) {
      loaded.insert(place.buffer);
      collectLoads(place.index, loaded, visited);
    }
    collectLoads(s->body, loaded, visited);
    collectLoads(s->otherwise, loaded, visited);
  }
}

bool storesWhatItLoads(const Stmt& store) {
  return store.value->kind == ExprNode::Kind::Load && store.value->buffer == store.buffer &&
         sameExpr(store.value->args[0], store.index);
}

// True when the statement has nothing left to do.
bool removeFrom(Block& block, const std::set<BufferId>& live) {
  std::erase_if(block, [&](const StmtPtr& s) {
    switch (s->kind) {
      case Stmt::Kind::Store:
        return !live.contains(s->buffer) || storesWhatItLoads(*s);
      case Stmt::Kind::Accumulate:
        return !live.contains(s->buffer);
      case Stmt::Kind::For: {
        std::erase_if(s->reductions, [&](const Stmt::Reduction& r) {
          return r.buffer >= 0 && !live.contains(r.buffer);
        });
        return removeFrom(s->body, live);
      }
      case Stmt::Kind::If: {
        const bool thenEmpty = removeFrom(s->body, live),
                   elseEmpty = removeFrom(s->otherwise, live);
        return thenEmpty && elseEmpty;
      }
      default:
        return false;
    }
  });
  return block.empty();
}

}  // namespace

void removeDeadStores(Lowered& lowered, const std::vector<bool>& readByHost) {
  for (bool first = true;; first = false) {
    std::set<BufferId> live;
    std::set<const ExprNode*> visited;
    collectLoads(lowered.program.body, live, visited);
    for (size_t node = 0; node < readByHost.size(); ++node)
      if (readByHost[node] && lowered.bufferOf[node] >= 0) live.insert(lowered.bufferOf[node]);
    bool removed = false;
    for (size_t b = 0; b < lowered.program.buffers.size(); ++b) {
      Buffer& buffer = lowered.program.buffers[b];
      const bool writable =
          buffer.kind == Buffer::Kind::Arena || buffer.kind == Buffer::Kind::Private;
      if (writable && buffer.elements > 0 && !live.contains(static_cast<BufferId>(b))) {
        buffer.elements = 0;
        removed = true;
      }
    }
    if (!removed && !first) return;
    removeFrom(lowered.program.body, live);
  }
}

}  // namespace rlc::loops
